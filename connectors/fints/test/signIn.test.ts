// Tests of the sign-in at a bank: the questions to the end user, and the results of refusals.
import { BankRefused, BankUnreachable, type SignInResult } from '@bank-connection/connector-kit';
import { expect, test } from 'vitest';
import {
  answer,
  call,
  callAt,
  expectChallenge,
  expectSignedIn,
  giro,
  makeModule,
  now,
  read,
  signIn,
  startBank,
} from './fixture.ts';
import { said } from './segments.ts';
import type { TestBank } from './testBank.ts';
import { photo, rightTan } from './users.ts';

const challengeOf = (step: SignInResult) => expectChallenge(step).challenge;

test('the user chooses among several methods, then among several devices, and can go back', async () => {
  const bank = await startBank();
  const methods = await signIn(bank, 'methods');
  expect(challengeOf(methods)).toEqual({
    ...{ kind: 'choice', label: 'Welches TAN-Verfahren?', labelKey: 'choose_tan_method' },
    options: [
      { id: '910', label: 'chipTAN manuell' },
      { id: '913', label: 'chipTAN-QR' },
      { id: '921', label: 'TAN2go' },
    ],
  });
  const media = await answer(bank, methods, '921');
  expect(challengeOf(media)).toMatchObject({
    ...{ kind: 'choice', labelKey: 'choose_tan_medium', otherMethod: true },
    options: [
      { id: 'pushtan', label: 'pushtan' },
      { id: 'SomePhone1', label: 'SomePhone1' },
    ],
  });
  const code = await answer(bank, media, 'SomePhone1');
  expect(challengeOf(code)).toEqual({
    ...{ kind: 'code', label: 'Bitte geben Sie die pushTAN ein.', hint: 'TAN2go, SomePhone1' },
    ...{ inputMode: 'digits', length: { min: 1, max: 6 }, otherMethod: true },
  });
  const { challengeState } = expectChallenge(code);
  const { connector } = makeModule(bank);
  const back = await connector.challengeAction!({ challengeState, action: 'otherMethod' }, call);
  expect(challengeOf(back)).toEqual(challengeOf(methods));
  await expect(connector.challengeAction!({ challengeState, action: 'resend' }, call)).rejects.toMatchObject({
    reason: 'user_action_required',
  });
  expectSignedIn(await answer(bank, await answer(bank, back, '910'), rightTan));
});

test('a choice that does not exist is asked again', async () => {
  const bank = await startBank();
  const methods = await signIn(bank, 'methods');
  const again = expectChallenge(await answer(bank, methods, '999'));
  expect(again.challenge).toEqual(challengeOf(methods));
  expect(again.retry).toEqual({ attemptsLeft: null });
  const media = await answer(bank, methods, '921');
  expect(challengeOf(await answer(bank, media, 'no phone'))).toEqual(challengeOf(media));
});

const shown: [what: string, username: string, challenge: object][] = [
  ['a pushTAN of the only device', 'push', { kind: 'code', hint: 'TAN2go, SomePhone1' }],
  [
    'manual chipTAN, without HTML,',
    'manual',
    { kind: 'code', label: 'Karte einstecken. Startcode: 2712345 TAN eingeben.', hint: 'chipTAN manuell' },
  ],
  [
    'photoTAN, the picture in the HHDUC,',
    'photo',
    { kind: 'image', label: 'Code scannen.', image: `data:image/png;base64,${photo.toString('base64')}` },
  ],
  [
    'chipTAN, the picture before the text,',
    'chipTanPicture',
    { kind: 'image', label: 'Code scannen.', image: `data:image/png;base64,${photo.toString('base64')}` },
  ],
  [
    'the text of a chipTAN, and not the flickering code before it,',
    'chipTanFlicker',
    { kind: 'code', label: 'Karte einstecken.' },
  ],
  ['a code by the method of an app', 'codeByApp', { kind: 'code', hint: 'SecureApp' }],
  [
    'the text of a flickering code, and not the code,',
    'flicker',
    { kind: 'code', label: 'Startcode 2712345' },
  ],
];
test.each(shown)('%s is asked for at once', async (_, username, challenge) => {
  expect(challengeOf(await signIn(await startBank(), username))).toMatchObject(challenge);
});

test('an approval is asked for as often as the bank says', async () => {
  const bank = await startBank();
  const asked = await signIn(bank, 'app');
  expect(challengeOf(asked)).toEqual({
    ...{ kind: 'approval', pollSeconds: 1, label: 'Bitte in der App freigeben.' },
    ...{ labelKey: 'approve_app', labelValue: 'SecureApp' },
  });
  const pending = await answer(bank, asked, '');
  expect(challengeOf(pending)).toEqual(challengeOf(asked));
  expectSignedIn(await answer(bank, pending, ''));
  const orders = bank.received.flatMap(({ segments }) => segments);
  expect(orders.filter((text) => /^HKTAN:\d:7\+S\+/.test(text))).toHaveLength(2);
});

test('an approval is waited for where the bank says so, whatever it calls the method', async () => {
  const bank = await startBank();
  bank.intercept = ({ orders }) =>
    orders.includes('HKIDN') && orders.includes('HKTAN') && !orders.includes('HKTAB')
      ? { also: "HIRMS:9:2:5+3955::Bitte in der App freigeben.'" }
      : undefined;
  const asked = await signIn(bank, 'push');
  expect(challengeOf(asked)).toMatchObject({ kind: 'approval', pollSeconds: 5, labelValue: 'TAN2go' });
  const pending = await answer(bank, asked, '');
  expect(challengeOf(pending)).toEqual(challengeOf(asked));
  bank.intercept = () => undefined;
  expectSignedIn(await answer(bank, pending, ''));
});

test('an approval that is denied, or that the bank allows no more questions for, is denied', async () => {
  const bank = await startBank();
  const asked = await answer(bank, await signIn(bank, 'denying'), '');
  await expect(answer(bank, asked, '')).rejects.toMatchObject({ reason: 'denied' });
  let waiting = await signIn(bank, 'waiting');
  for (let polls = 0; polls < 3; polls++) waiting = await answer(bank, waiting, '');
  const before = bank.received.length;
  await expect(answer(bank, waiting, '')).rejects.toMatchObject({ reason: 'denied' });
  expect(bank.received).toHaveLength(before);
});

test('a wrong TAN is asked again, and refused where the bank ends the dialog', async () => {
  const bank = await startBank();
  const code = await signIn(bank, 'push');
  const again = expectChallenge(await answer(bank, code, '000000'));
  expect(again).toMatchObject({ retry: { attemptsLeft: null }, challenge: challengeOf(code) });
  expectSignedIn(await answer(bank, again, rightTan));
  const strict = await signIn(bank, 'strict');
  await expect(answer(bank, strict, '000000')).rejects.toMatchObject({ reason: 'wrong_answer' });
  const last = await signIn(bank, 'push');
  bank.intercept = () => ({ segments: `${said.wrongTanEnds.text}HIRMS:4:2:2+3938::Zugang gesperrt.'` });
  await expect(answer(bank, last, '000000')).rejects.toMatchObject({ reason: 'locked' });
});

test('a TAN that is empty or that FinTS cannot express is not sent', async () => {
  const bank = await startBank();
  const code = await signIn(bank, 'push');
  const before = bank.received.length;
  for (const tan of [' ', '€', '12\n34']) {
    expect(expectChallenge(await answer(bank, code, tan)).retry).toEqual({ attemptsLeft: null });
  }
  expect(bank.received).toHaveLength(before);
});

const refusals: [code: string, segments: string, reason: string][] = [
  ...['9340', '9910', '9931', '9942'].map((code): [string, string, string] => [
    code,
    `HIRMG:2:2+9800::Abbruch.'HIRMS:3:2:3+${code}::Text.'`,
    'wrong_credentials',
  ]),
  ...['3931', '3938', '9930'].map((code): [string, string, string] => [
    code,
    `HIRMG:2:2+9800::Abbruch.'HIRMS:3:2:3+${code}::Text.'`,
    'locked',
  ]),
  ['9942 as ING has sent it', said.ingBlocked.text, 'wrong_credentials'],
  ['9075', said.strongAuthentication.text, 'user_action_required'],
];
test.each(refusals)('%s is a refusal', async (_, segments, reason) => {
  const bank = await startBank();
  bank.intercept = () => ({ segments });
  const refused = await signIn(bank, 'free').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(BankRefused);
  expect(refused).toMatchObject({ reason });
});

test.each([
  ['9078', said.productRefused.text],
  ['9952', "HIRMG:2:2+9050::Fehler.+9800::Abbruch.'HIRMS:3:2:4+9952::Text.'"],
])('%s refuses the registration of the operator, and no credentials', async (code, segments) => {
  const bank = await startBank();
  const { deviceToken } = expectSignedIn(await signIn(bank, 'free'));
  bank.intercept = () => ({ segments });
  for (const known of [{}, { deviceToken, attended: false }]) {
    const refused = await signIn(bank, 'free', known).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(BankUnreachable);
    expect(refused).toMatchObject({
      reason: 'operator_action_required',
      code: expect.stringContaining(code),
    });
  }
});

test('a locked user and a wrong PIN are refused, attended or not', async () => {
  const bank = await startBank();
  for (const attended of [true, false]) {
    await expect(signIn(bank, 'locked', { attended })).rejects.toMatchObject({ reason: 'locked' });
    await expect(signIn(bank, 'free', { attended, pin: '1' })).rejects.toMatchObject({
      reason: 'wrong_credentials',
    });
  }
});

test.each([
  "HIRMG:2:2+9010::Nicht angenommen.+9800::Abbruch.'",
  "HIRMG:2:2+9050::Fehler.+9800::Abbruch.'HIRMS:3:2:3+9210::Benutzer unbekannt.'",
])('a user whom the bank does not know has wrong credentials: %s', async (segments) => {
  const bank = await startBank();
  bank.intercept = () => ({ segments });
  await expect(signIn(bank, 'free')).rejects.toMatchObject({ reason: 'wrong_credentials' });
  // The bank does not send this message to a user whom it already knows.
  bank.intercept = () => undefined;
  const { deviceToken } = expectSignedIn(await signIn(bank, 'free'));
  bank.intercept = () => ({ segments });
  await expect(signIn(bank, 'free', { deviceToken })).rejects.toBeInstanceOf(BankUnreachable);
});

test('a customer id beside the user id is sent as such', async () => {
  const bank = await startBank();
  const { connector } = makeModule(bank);
  const signInAs = (customerId: string) =>
    connector.signIn(
      {
        institution: { id: 'dkb' },
        credentials: { username: 'free', customerId, pin: '12345' },
        attended: true,
      },
      call,
    );
  expectSignedIn(await signInAs(' K+1 '));
  const sent = bank.received.flatMap(({ segments }) => segments).filter((text) => text.startsWith('HKIDN'));
  expect(new Set(sent.map((text) => text.split(/(?<!\?)\+/)[2]))).toEqual(new Set(['K?+1']));
  expect(new Set(bank.received.map(({ userId }) => userId))).toEqual(new Set(['free']));
  await expect(signInAs('x'.repeat(31))).rejects.toMatchObject({ reason: 'wrong_credentials' });
});

const renamings: [when: string, order: string][] = [
  ['the first message', 'HKSYN'],
  ['the sign-in', 'HKTAN'],
];
test.each(renamings)('the ids that the bank gives with %s are kept', async (_, order) => {
  const bank = await startBank();
  bank.intercept = ({ orders, userId }) =>
    orders.includes('HKIDN') && orders.includes(order) && !orders.includes('HKTAB') && userId === 'free'
      ? { also: "HIRMS:9:2:3+3072::Neue Benutzerkennung.:renamed:K2'" }
      : undefined;
  const { access, deviceToken } = expectSignedIn(await signIn(bank, 'free'));
  bank.intercept = () => undefined;
  bank.received.length = 0;
  // The service has stored the user's input.
  const next = expectSignedIn(await signIn(bank, 'free', { attended: false, deviceToken }));
  await (await read(bank, access)).end();
  expect(new Set(bank.received.map(({ userId }) => userId))).toEqual(new Set(['renamed']));
  const [opening] = bank.received.flatMap(({ segments }) => segments);
  expect(opening!.split('+')[2]).toBe('K2');
  expect(next.deviceToken).toBe(deviceToken);
  // Another user on the same device is not renamed.
  bank.received.length = 0;
  await signIn(bank, 'push', { deviceToken }).catch(() => {});
  expect(new Set(bank.received.map(({ userId }) => userId))).toEqual(new Set(['push']));
});

const refusedOrders: [order: string, segments: string][] = [
  ['HKSPA', said.orderFailed.text],
  ['HKTAB', said.orderFailed.text],
  ['HKTAB', "HIRMG:2:2+9800::Dialog abgebrochen.'"],
  ['HKTAB', said.strongAuthentication.text],
];
test.each(refusedOrders)('a bank that refuses %s is linked without its answer', async (order, segments) => {
  const bank = await startBank();
  bank.intercept = ({ orders }) => (orders[0] === order ? { segments } : undefined);
  const code = await signIn(bank, 'push');
  expect(challengeOf(code)).toMatchObject({ hint: order === 'HKTAB' ? 'TAN2go' : 'TAN2go, SomePhone1' });
  const { access } = expectSignedIn(await answer(bank, code, rightTan));
  const [account] = await makeModule(bank).connector.accounts(access, call);
  expect(account).toMatchObject({ number: 'DExxABCDEFGH1234567890', balance: { current: '123.45' } });
});

test('a bank that refuses the dialog about devices is linked without a device', async () => {
  const bank = await startBank();
  bank.intercept = ({ segments }) =>
    segments.some((text) => /^HKTAN:\d+:6\+4\+HKTAB/.test(text))
      ? { segments: said.orderFailed.text }
      : undefined;
  expect(challengeOf(await signIn(bank, 'push'))).toMatchObject({ hint: 'TAN2go' });
});

const accountOf = (bank: TestBank, order: string): string | undefined =>
  bank.received
    .flatMap(({ segments }) => segments)
    .find((text) => text.startsWith(`${order}:`))
    ?.split('+')[1];

test('an account is named by its IBAN only where the bank takes no other name, else by its number as well', async () => {
  const bank = await startBank();
  const { access } = expectSignedIn(await signIn(bank, 'free', { institutionId: 'dkb-camt' }));
  const reading = await read(bank, access, { accountIds: [giro] });
  await reading.history(giro);
  expect(accountOf(bank, 'HKCAZ')).toBe('DExxABCDEFGH1234567890:BYLADEM1001');
  // Versions without IBANs have only the number.
  expect(accountOf(bank, 'HKSAL')).toMatch(/^1234567890::280:/);
  const code = await signIn(bank, 'push', { institutionId: 'consors' });
  const consors = await read(bank, expectSignedIn(await answer(bank, code, rightTan)).access);
  await consors.history(consors.accounts[0]!.id);
  expect(accountOf(bank, 'HKKAZ')).toMatch(/^DE.*::012345678::280:/);
});

test('a dialog that the bank ends without a reason is a bank that is down', async () => {
  const bank = await startBank();
  bank.intercept = () => ({ segments: "HIRMG:2:2+9800::Abbruch.'" });
  await expect(signIn(bank, 'free')).rejects.toMatchObject({ reason: 'down' });
});

test.each(['unknownMethod', 'opticalOnly'])(
  'a user whose methods cannot be shown (%s) has to do something at the bank',
  async (username) => {
    const bank = await startBank();
    await expect(signIn(bank, username)).rejects.toMatchObject({ reason: 'user_action_required' });
  },
);

const later = (count: number) => callAt(new Date(now.getTime() + count * 86_400_000));
const setDay = (bank: TestBank, count: number): void => {
  bank.today = new Date(now.getTime() + count * 86_400_000).toISOString().slice(0, 10);
};

test('a device passes unattended for 90 days after a TAN, and then needs its user', async () => {
  const bank = await startBank();
  const { deviceToken } = expectSignedIn(await answer(bank, await signIn(bank, 'push'), rightTan));
  for (const count of [1, 60, 90]) {
    setDay(bank, count);
    const unattended = await signIn(bank, 'push', { attended: false, deviceToken }, later(count));
    const reading = await read(bank, expectSignedIn(unattended).access, { accountIds: [giro] }, later(count));
    expect(reading.accounts).toHaveLength(1);
    await reading.end();
  }
  setDay(bank, 91);
  await expect(signIn(bank, 'push', { attended: false, deviceToken }, later(91))).rejects.toMatchObject({
    reason: 'user_action_required',
  });
  // With the user present, the same device is confirmed again.
  const code = await signIn(bank, 'push', { deviceToken }, later(91));
  const renewed = expectSignedIn(await answer(bank, code, rightTan, later(91)));
  setDay(bank, 120);
  const unattended = { attended: false, deviceToken: renewed.deviceToken };
  expectSignedIn(await signIn(bank, 'push', unattended, later(120)));
});

test('a device whose method the bank has withdrawn needs its user, who then chooses another', async () => {
  const bank = await startBank();
  const { deviceToken } = expectSignedIn(await answer(bank, await signIn(bank, 'push'), rightTan));
  const signedInWithList = said.dkbSignedIn.text.replace(':921', ':910');
  bank.intercept = ({ orders, method }) =>
    orders.includes('HKTAN') && method === '921' ? { segments: signedInWithList } : undefined;
  await expect(signIn(bank, 'push', { attended: false, deviceToken })).rejects.toMatchObject({
    reason: 'user_action_required',
  });
  bank.received.length = 0;
  await signIn(bank, 'push', { deviceToken }).catch(() => {});
  expect(bank.received.some(({ orders }) => orders.includes('HKSYN'))).toBe(true);
});

test('Consors: a TAN at the sign-in, after which parameters and accounts come', async () => {
  const bank = await startBank();
  const code = await signIn(bank, 'push', { institutionId: 'consors' });
  expect(challengeOf(code)).toMatchObject({ kind: 'code', label: 'Bitte TAN eingeben.', hint: 'SecurePlus' });
  const { access } = expectSignedIn(await answer(bank, code, rightTan));
  const accounts = await makeModule(bank).connector.accounts(access, call);
  // The securities account has no balance, and HISPA lists an account that the user does not have.
  expect(accounts.map(({ name, type, balance }) => [name, type, balance?.current])).toEqual([
    ['Lohn/Gehalt/Rente Privat', 'depository', '-7.5'],
    ['Kontokorrentkonto Privat', 'depository', '-7.5'],
    ['Tagesgeldkonto', 'depository', '-7.5'],
  ]);
});

test('ING: the PIN alone, as it was recorded', async () => {
  const bank = await startBank();
  const { access } = expectSignedIn(await signIn(bank, 'free', { institutionId: 'ing' }));
  expect(new Set(bank.received.map(({ method }) => method))).toEqual(new Set(['999']));
  const accounts = await makeModule(bank).connector.accounts(access, call);
  expect(accounts.map(({ name, number }) => [name, number])).toEqual([
    ['Girokonto', 'DE63500105171234567890'],
    ['Extra-Konto', 'DExxABCDEFGH1234567842'],
  ]);
});

test('DKB: the accounts with balances, limits and types', async () => {
  const bank = await startBank();
  const { access } = expectSignedIn(await signIn(bank, 'free'));
  const accounts = await makeModule(bank).connector.accounts(access, call);
  expect(accounts).toEqual([
    {
      ...{ id: giro, name: 'Sichteinlagen', type: 'depository', subtype: 'checking', currency: 'EUR' },
      number: 'DExxABCDEFGH1234567890',
      // The recorded day is later than the test's, and a balance cannot be from the future.
      balance: { current: '123.45', available: '123.45', limit: '0', asOf: '2019-09-22T00:00:00.000Z' },
    },
    {
      ...{ id: '4930000001234567', name: 'VISA DKB Cash', type: 'credit', subtype: 'credit_card' },
      ...{ number: '4930000001234567', currency: 'EUR' },
      balance: { current: '50.25', asOf: '2019-09-20T00:00:00.000Z' },
    },
  ]);
});
