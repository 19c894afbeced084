// Reads camt.052 and camt.053 (ISO 20022, Bank-to-Customer Cash Management), all versions.
import { toDecimal, toIsoDay } from '@bank-connection/connector-kit';
import { describeCamtEntry } from './camtDescription.ts';
import { type Statement, type StatementBalance, type StatementEntry, StatementError } from './statement.ts';
import { lineOf, nodesAt, parseXml, textAt, type XmlDocument, type XmlNode } from './xml.ts';

/**
 * The statements or reports of a document, none of an empty document or of an empty report, which some banks send as a
 * page. Entries that only inform (`INFO`) are no bookings and are left out. Throws StatementError for anything that cannot
 * be read, such as a document of another kind or without its end.
 */
export const parseCamt = (xml: string): Statement[] => {
  const document = parseXml(xml);
  const [root] = nodesAt(document.root, 'Document');
  if (root && isEmpty(root)) return [];
  const names = Object.keys(root ?? {}).filter((key) => /^BkToCstmr(Stmt|AcctRpt)(V\d+)?$/.test(key));
  const [content, second] = names.flatMap((name) => nodesAt(root!, name));
  if (!content || second) throw new StatementError(1, 'one message of camt.052 or camt.053');
  const statements = [...nodesAt(content, 'Stmt'), ...nodesAt(content, 'Rpt')];
  const isEmptyReport = names[0]!.startsWith('BkToCstmrAcctRpt') && isEmpty(content, 'GrpHdr');
  if (statements.length === 0 && !isEmptyReport) {
    throw new StatementError(lineOf(document, content), 'a statement or report');
  }
  return statements.map((node) => toStatement(document, node));
};

/** Whether an element has no text and no other children than these. */
const isEmpty = (node: XmlNode, ...children: string[]): boolean =>
  Object.entries(node).every(
    ([name, value]) => name.startsWith('@') || children.includes(name) || (name === '#text' && value === ''),
  );

const toStatement = (document: XmlDocument, node: XmlNode): Statement => {
  const account = textAt(node, 'Acct', 'Id', 'IBAN') ?? textAt(node, 'Acct', 'Id', 'Othr', 'Id');
  const opening = findBalance(document, node, ['OPBD', 'PRCD']);
  const closing = findBalance(document, node, ['CLBD']);
  const currency = textAt(node, 'Acct', 'Ccy') ?? closing?.currency ?? opening?.currency;
  const createdOn = toIsoDay(textAt(node, 'CreDtTm') ?? '');
  return {
    account: account ?? textAt(node, 'Acct', 'Id', 'PrtryAcct', 'Id') ?? '',
    ...(currency !== undefined && { currency }),
    entries: nodesAt(node, 'Ntry').flatMap((entry) => toEntry(document, entry, createdOn) ?? []),
    ...(opening && { openingBalance: opening }),
    ...(closing && { closingBalance: closing }),
    // XML is not well-formed without its end, and a report of a day that goes on has no closing balance.
    isWhole: true,
  };
};

/** Of statuses that are not booked, FUTR is booked on a later day. */
const statuses: Record<string, StatementEntry['status'] | 'none'> = {
  BOOK: 'posted',
  PDNG: 'pending',
  FUTR: 'pending',
  INFO: 'none',
};

const toEntry = (
  document: XmlDocument,
  node: XmlNode,
  createdOn: string | undefined,
): StatementEntry | undefined => {
  const fail = (expected: string): never => {
    throw new StatementError(lineOf(document, node), `an entry with ${expected}`);
  };
  const status = statuses[textAt(node, 'Sts', 'Cd') ?? textAt(node, 'Sts') ?? ''] ?? fail('a status');
  if (status === 'none') return undefined;
  const { amount, currency } = toAmount(node) ?? fail('an amount, a currency and a mark of credit or debit');
  const [entryDate, valueDate] = ['BookgDt', 'ValDt'].map((name) => toDate(node, name, fail));
  return {
    // A report may leave both days out: then what it says holds on the day on which it was made.
    date: entryDate ?? valueDate ?? createdOn ?? fail('a day'),
    ...(entryDate !== undefined && { entryDate }),
    ...(valueDate !== undefined && { valueDate }),
    ...{ amount, currency, ...describeCamtEntry(node), status },
  };
};

/**
 * The indicator says in which direction the entry itself goes, also of a reversal: with `RvslInd`, CRDT means that the
 * original entry was a debit (ISO 20022, ReportEntry, ReversalIndicator).
 */
const toAmount = (node: XmlNode): { amount: string; currency: string } | undefined => {
  const [element] = nodesAt(node, 'Amt');
  const text = textAt(node, 'Amt') ?? '';
  const currency = element?.['@Ccy'];
  const mark = textAt(node, 'CdtDbtInd');
  const amount = text.startsWith('-') ? undefined : toDecimal(text);
  if (amount === undefined || typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return undefined;
  if (mark !== 'CRDT' && mark !== 'DBIT') return undefined;
  return { amount: mark === 'DBIT' && /[1-9]/.test(amount) ? `-${amount}` : amount, currency };
};

const toDate = (node: XmlNode, name: string, fail: (expected: string) => never): string | undefined => {
  const date = textAt(node, name, 'Dt') ?? textAt(node, name, 'DtTm');
  return date === undefined ? undefined : (toIsoDay(date) ?? fail(`a day in ${name}`));
};

const findBalance = (
  document: XmlDocument,
  node: XmlNode,
  codes: readonly string[],
): StatementBalance | undefined => {
  const balance = nodesAt(node, 'Bal').find((one) =>
    codes.includes(textAt(one, 'Tp', 'CdOrPrtry', 'Cd') ?? ''),
  );
  if (!balance) return undefined;
  const amount = toAmount(balance);
  if (!amount) throw new StatementError(lineOf(document, balance), 'a balance');
  const date = toIsoDay(textAt(balance, 'Dt', 'Dt') ?? textAt(balance, 'Dt', 'DtTm') ?? '');
  return date === undefined ? undefined : { ...amount, date };
};
