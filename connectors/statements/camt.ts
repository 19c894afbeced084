// Parses camt.052 and camt.053 (ISO 20022, Bank-to-Customer Cash Management), all versions.
import { toDecimal, toIsoDay } from '@bank-connection/connector-kit';
import { describeCamtEntry, type Payment, toPayment } from './camtDescription.ts';
import { type Statement, type StatementBalance, type StatementEntry, StatementError } from './statement.ts';
import { attributeAt, nodesAt, readXml, textAt, type XmlNode } from './xml.ts';

/**
 * The statements or reports in a document; empty for an empty document or report, which some banks send as a page. Informational
 * entries (`INFO`) are not bookings and are dropped. Payments and entries are processed at their end tags, which frees their
 * elements. Rejects with StatementError if anything is invalid, such as another type of document or a missing end.
 */
export const parseCamt = async (xml: string): Promise<Statement[]> => {
  const entries = new Map<XmlNode, StatementEntry[]>();
  const payments: Payment[] = [];
  const document = await readXml(xml, (node, parent) => {
    if (node.name === 'TxDtls') return payments.push(toPayment(node)) > 0;
    if (node.name !== 'Ntry' || !/^(Stmt|Rpt)$/.test(parent.name)) return false;
    const siblings = entries.get(parent) ?? [];
    entries.set(parent, siblings);
    const entry = toEntry(node, payments.splice(0), parent);
    if (entry) siblings.push(entry);
    return true;
  });
  return findStatements(document).map((node) => toStatement(node, entries.get(node) ?? []));
};

const findStatements = (document: XmlNode): XmlNode[] => {
  const [root] = nodesAt(document, 'Document');
  if (root && isEmpty(root)) return [];
  const isMessage = ({ name }: XmlNode) => /^BkToCstmr(Stmt|AcctRpt)(V\d+)?$/.test(name);
  const [content, second] = root?.children.filter(isMessage) ?? [];
  if (!content || second) throw new StatementError(1, 'one message of camt.052 or camt.053');
  const statements = [...nodesAt(content, 'Stmt'), ...nodesAt(content, 'Rpt')];
  const isEmptyReport = content.name.startsWith('BkToCstmrAcctRpt') && isEmpty(content, 'GrpHdr');
  if (statements.length > 0 || isEmptyReport) return statements;
  throw new StatementError(content.line, 'a statement or report');
};

/** True if an element has no text and no children except these. */
const isEmpty = ({ text, children }: XmlNode, ...names: string[]): boolean =>
  text === '' && children.every(({ name }) => names.includes(name));

const toStatement = (node: XmlNode, entries: StatementEntry[]): Statement => {
  const account = textAt(node, 'Acct', 'Id', 'IBAN') ?? textAt(node, 'Acct', 'Id', 'Othr', 'Id');
  const opening = findBalance(node, ['OPBD', 'PRCD']);
  const closing = findBalance(node, ['CLBD']);
  const currency = textAt(node, 'Acct', 'Ccy') ?? closing?.currency ?? opening?.currency;
  return {
    account: account ?? textAt(node, 'Acct', 'Id', 'PrtryAcct', 'Id') ?? '',
    ...(currency !== undefined && { currency }),
    entries,
    ...(opening && { openingBalance: opening }),
    ...(closing && { closingBalance: closing }),
    // Truncated XML is not well-formed, and an intraday report has no closing balance.
    isWhole: true,
  };
};

/** FUTR, one of the statuses that are not booked, is booked on a later day. */
const statuses: Record<string, StatementEntry['status'] | 'none'> = {
  BOOK: 'posted',
  PDNG: 'pending',
  FUTR: 'pending',
  INFO: 'none',
};

const toEntry = (node: XmlNode, payments: Payment[], statement: XmlNode): StatementEntry | undefined => {
  const fail = (expected: string): never => {
    throw new StatementError(node.line, `an entry with ${expected}`);
  };
  const status = statuses[textAt(node, 'Sts', 'Cd') ?? textAt(node, 'Sts') ?? ''] ?? fail('a status');
  if (status === 'none') return undefined;
  const { amount, currency } = toAmount(node) ?? fail('an amount, a currency and a mark of credit or debit');
  const [entryDate, valueDate] = ['BookgDt', 'ValDt'].map((name) => toDate(node, name, fail));
  return {
    // If a report omits both days, its entries have the day on which it was created.
    date: entryDate ?? valueDate ?? toIsoDay(textAt(statement, 'CreDtTm') ?? '') ?? fail('a day'),
    ...(entryDate !== undefined && { entryDate }),
    ...(valueDate !== undefined && { valueDate }),
    ...{ amount, currency, ...describeCamtEntry(node, payments), status },
  };
};

/**
 * The indicator is the direction of the entry itself, even for a reversal: with `RvslInd`, CRDT means that the original entry was
 * a debit (ISO 20022, ReportEntry, ReversalIndicator).
 */
const toAmount = (node: XmlNode): { amount: string; currency: string } | undefined => {
  const text = textAt(node, 'Amt') ?? '';
  const [element] = nodesAt(node, 'Amt');
  const currency = element && attributeAt(element, 'Ccy')?.trim();
  const mark = textAt(node, 'CdtDbtInd');
  const amount = text.startsWith('-') ? undefined : toDecimal(text);
  if (amount === undefined || currency === undefined || !/^[A-Z]{3}$/.test(currency)) return undefined;
  if (mark !== 'CRDT' && mark !== 'DBIT') return undefined;
  return { amount: mark === 'DBIT' && /[1-9]/.test(amount) ? `-${amount}` : amount, currency };
};

const toDate = (node: XmlNode, name: string, fail: (expected: string) => never): string | undefined => {
  const date = textAt(node, name, 'Dt') ?? textAt(node, name, 'DtTm');
  return date === undefined ? undefined : (toIsoDay(date) ?? fail(`a day in ${name}`));
};

const findBalance = (node: XmlNode, codes: readonly string[]): StatementBalance | undefined => {
  const balance = nodesAt(node, 'Bal').find((one) =>
    codes.includes(textAt(one, 'Tp', 'CdOrPrtry', 'Cd') ?? ''),
  );
  if (!balance) return undefined;
  const amount = toAmount(balance);
  if (!amount) throw new StatementError(balance.line, 'a balance');
  const date = toIsoDay(textAt(balance, 'Dt', 'Dt') ?? textAt(balance, 'Dt', 'DtTm') ?? '');
  return date === undefined ? undefined : { ...amount, date };
};
