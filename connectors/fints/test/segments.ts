// The test bank's responses: segments that real banks sent (recordings.json, from nemiah/phpFinTS, see LICENSE), and composed
// ones if no recording exists. The table marks each segment; segments.test.ts checks the marks.
import recordings from './recordings.json' with { type: 'json' };

export type Said = { source: 'recorded' | 'composed'; text: string };

type Recordings = Record<string, Record<string, string>>;

/** The segments of a recorded message between `from` and `to`, inclusive; by default all of them. */
const recorded = (file: string, name: string, from?: string, to?: string): Said => {
  const text = innerSegments((recordings as Recordings)[file]![name]!);
  const parts = text.split(/(?<=')(?=[A-Z]{5,6}:)/);
  const start = from === undefined ? 0 : parts.findIndex((part) => part.startsWith(`${from}:`));
  const end = to === undefined ? parts.length - 1 : parts.findLastIndex((part) => part.startsWith(`${to}:`));
  if (start < 0 || end < start) throw new Error(`${file} ${name} has no ${from} to ${to}.`);
  return { source: 'recorded', text: parts.slice(start, end + 1).join('') };
};

/** Without the header, the signature and the end, which the test bank creates for each message. */
const innerSegments = (text: string): string =>
  text
    .replace(/^HNHBK:[^']*'/, '')
    .replace(/HNVSK:(?:\?.|@\d+@.{8}|[^'?@])*'HNVSD:999:1\+@\d+@/, '')
    .replace(/HNSHK:(?:\?.|[^'?])*'/, '')
    .replace(/HNSHA:(?:\?.|[^'?])*'/, '')
    .replace(/'+HNHBS:[^']*'$/, "'");

const composed = (text: string): Said => ({ source: 'composed', text });

const dkb = 'DKB/DKBIntegrationTestBase';
const dkbStatement = 'DKB/GetStatementOfAccountTest';
const consors = 'Consors/ConsorsIntegrationTestBase';
const ing = 'IngDiba/IngDibaIntegrationTestBase';

export const said = {
  dkbParameters: recorded(dkb, 'ANONYMOUS_INIT_RESPONSE', 'HIBPA'),
  dkbSynchronized: recorded(dkb, 'SYNC_RESPONSE'),
  dkbMediaDialog: recorded('DKB/InitEndDialogTest', 'HKTAB_INIT_RESPONSE'),
  dkbMedia: recorded('DKB/InitEndDialogTest', 'HKTAB_RESPONSE'),
  dkbSignedIn: recorded(dkb, 'INIT_RESPONSE'),
  dkbIbans: recorded('DKB/GetSEPAAccountsTest', 'GET_ACCOUNTS_RESPONSE'),
  dkbBalance: recorded('DKB/GetBalanceTest', 'GET_BALANCE_RESPONSE'),
  dkbPage1: recorded(dkbStatement, 'GET_STATEMENT_PAGE_1_RESPONSE'),
  dkbPage2: recorded(dkbStatement, 'GET_STATEMENT_PAGE_2_RESPONSE'),
  dkbStatement1: recorded(dkbStatement, 'MT940_STATEMENT_1'),
  dkbStatement2: recorded(dkbStatement, 'MT940_STATEMENT_2'),
  dkbStatementWantsTan: recorded(dkbStatement, 'GET_STATEMENT_RESPONSE_BEFORE_TAN'),
  dkbEnd: recorded(dkb, 'FINAL_END_RESPONSE'),
  consorsParameters: recorded(consors, 'ANONYMOUS_INIT_RESPONSE', 'HIBPA', 'HIPINS'),
  consorsSynchronized: recorded(consors, 'SYNC_RESPONSE'),
  consorsWantsTan: recorded(consors, 'LOGIN_RESPONSE'),
  consorsSignedIn: recorded(consors, 'LOGIN_TAN_RESPONSE'),
  consorsIbans: recorded('Consors/GetSEPAAccountsTest', 'GET_ACCOUNTS_RESPONSE'),
  consorsStatement: recorded('Consors/GetStatementOfAccountTest', 'GET_STATEMENT_RESPONSE'),
  consorsEmpty: recorded('Consors/GetStatementOfAccountTest', 'GET_STATEMENT_EMPTY_RESPONSE'),
  ingSynchronized: recorded(ing, 'SYNC_RESPONSE'),
  ingSignedIn: recorded(ing, 'INIT_RESPONSE'),
  ingIbans: recorded('IngDiba/GetSEPAAccountsTest', 'GET_ACCOUNTS_RESPONSE'),
  ingEmpty: recorded('IngDiba/GetStatementOfAccountTest', 'GET_STATEMENT_RESPONSE'),
  ingBlocked: recorded('IngDiba/InitDialogWithBlockedPinTest', 'SYNC_RESPONSE'),

  done: composed("HIRMG:2:2+0010::Nachricht entgegengenommen.'HIRMS:3:2:3+0020::Auftrag ausgefuehrt.'"),
  wrongPin: composed(
    "HIRMG:2:2+9050::Teilweise fehlerhaft.+9800::Dialog abgebrochen.'HIRMS:3:2:3+9910::PIN ungueltig.'",
  ),
  locked: composed(
    "HIRMG:2:2+9800::Dialog abgebrochen.'HIRMS:3:2:3+3938::Ihr Zugang ist vorlaeufig gesperrt.'",
  ),
  wrongTan: composed("HIRMG:2:2+9050::Teilweise fehlerhaft.'HIRMS:3:2:3+9941::TAN ungueltig.'"),
  wrongTanEnds: composed("HIRMG:2:2+9800::Dialog abgebrochen.'HIRMS:3:2:3+9941::TAN ungueltig.'"),
  strongAuthentication: composed(
    "HIRMG:2:2+9075::Dialog abgebrochen - starke Authentifizierung erforderlich.'",
  ),
  noAnonymousDialog: composed("HIRMG:2:2+9400::Kein anonymer Dialog.+9800::Dialog abgebrochen.'"),
  productRefused: composed(
    "HIRMG:2:2+9050::Fehlerhaft.+9800::Dialog abgebrochen.'HIRMS:3:2:3+9010::Nicht bearbeitet.'HIRMS:4:2:4+3079::Hersteller fragen.+9078::Produkt nicht registriert.'",
  ),
  unknownDialog: composed("HIRMG:2:2+9010::Dialog-ID unbekannt.+9800::Dialog abgebrochen.'"),
  orderFailed: composed("HIRMG:2:2+9050::Teilweise fehlerhaft.'HIRMS:3:2:3+9210::Auftrag abgelehnt.'"),
  /** The methods in DKB's recording, and one of version 7 with an approval: polled every two seconds, three times. */
  decoupledMethods: composed(
    "HITANS:167:7:4+1+1+1+J:N:0:946:2:SealOne:Decoupled::SecureApp:6:1:Freigabe:2048:J:2:N:0:0:N:N:00:0:N:1:3:1:1:J:J'",
  ),
  wantsTan: composed(
    "HIRMG:2:2+0010::Nachricht entgegengenommen.'HIRMS:3:2:5+0030::Auftrag empfangen - TAN eingeben.'",
  ),
  wantsApproval: composed(
    "HIRMG:2:2+0010::Nachricht entgegengenommen.'HIRMS:3:2:5+3955::Bitte in der App freigeben.'",
  ),
  approvalPending: composed(
    "HIRMG:2:2+0010::Nachricht entgegengenommen.'HIRMS:3:2:3+3956::Freigabe steht noch aus.'",
  ),
  approvalDenied: composed("HIRMG:2:2+9800::Dialog abgebrochen.'HIRMS:3:2:3+9953::Freigabe abgelehnt.'"),
  partial: composed("HIRMG:2:2+3060::Bitte beachten.'HIRMS:3:2:3+3997::Auftrag teilweise ausgefuehrt.'"),
  nothing: composed("HIRMG:2:2+3060::Bitte beachten.'HIRMS:3:2:3+3010::Keine Umsaetze.'"),
  cardBalance: composed(
    "HIRMG:2:2+0010::Nachricht entgegengenommen.'HIKKU:5:1:3+493000******4567++D:50,25:EUR:20190920'",
  ),
  nothingAboutTan: composed(
    "HIRMG:2:2+3060::Bitte beachten.'HIRMS:3:2:3+0020::Auftrag ausgefuehrt.'HIRMS:4:2:4+3010::Kein TAN-Medium.'",
  ),
  notCarriedOut: composed(
    "HIRMG:2:2+0010::Entgegengenommen.'HIRMS:3:2:3+3905::Nichts.+3010::Keine Umsaetze.'",
  ),
  unknownAccount: composed(
    "HIRMG:2:2+3060::Bitte beachten.'HIRMS:3:2:3+3010::Kontonummer ist ungueltig.'HIRMS:4:2:4+3905::Es wurde keine Challenge erzeugt.'",
  ),
} satisfies Record<string, Said>;
