// Converts the pages of a statement to transactions. An MT940 page may end in the middle of an entry, so pages are joined before
// parsing; each camt document is complete.
import { type BankTransaction, BankUnreachable, cutText, lengthMax } from '@bank-connection/connector-kit';
import {
  addsUp,
  decodeStatement,
  parseCamt,
  parseMt940,
  type Statement,
  type StatementEntry,
  StatementError,
} from '@bank-connection/connector-statements';
import type { StatementOrder } from './cardOrders.ts';
import { findCardTransactions } from './cardTransactions.ts';
import { isEmpty, OrderFailed } from './codes.ts';
import { type BankResponse, elementsOf, partsOf, segmentsOf, toBinary } from './message.ts';

/**
 * All transactions of the pages. Rejects with BankUnreachable('incomplete') if anything cannot be parsed, if a statement's
 * balances show that entries are missing, or if a page has no statement and the bank does not report it as empty: missing
 * transactions would become void.
 */
export const readPages = async (
  { segId }: StatementOrder,
  pages: readonly BankResponse[],
): Promise<BankTransaction[]> => {
  const responseId = segId === 'DKKKU' ? 'DIKKU' : `HI${segId.slice(2)}`;
  const isAnswered = (page: BankResponse) => segmentsOf(page, responseId).length > 0 || isEmpty(page);
  const unanswered = pages.find((page) => !isAnswered(page));
  if (unanswered) throw new OrderFailed(unanswered);
  if (segId === 'DKKKU' || segId === 'HKKKU') return pages.flatMap(findCardTransactions);
  const read = segId === 'HKCAZ' ? readCamt : readMt940;
  const elements = pages.flatMap((page) => segmentsOf(page, responseId)).map(elementsOf);
  try {
    return toTransactions(await read(elements));
  } catch (error) {
    // The error contains the line number, but none of the bank's data.
    if (error instanceof StatementError) throw new BankUnreachable('incomplete', { cause: error });
    throw error;
  }
};

type Statements = { booked: Statement[]; pending: Statement[] };

/** HIKAZ: booked transactions as MT940, then pending ones as MT942. A page may end without a line break. */
const readMt940 = (segments: readonly string[][]): Statements => {
  const [booked, pending] = [0, 1].map((index) =>
    parseMt940(decode(segments.map((elements) => toBinary(elements[index])).join('\r\n'))),
  );
  return { booked: booked!, pending: pending! };
};

/** HICAZ: the account, the format, and lists of documents with booked and with pending transactions. */
const readCamt = async (segments: readonly string[][]): Promise<Statements> => ({
  booked: await readDocuments(segments.map(([, , booked]) => booked)),
  pending: await readDocuments(segments.map(([, , , pending]) => pending)),
});

const readDocuments = async (lists: readonly (string | undefined)[]): Promise<Statement[]> => {
  const documents = lists.flatMap((list) => partsOf(list).map(toBinary));
  const statements: Statement[][] = [];
  for (const document of documents.filter((text) => text.trim() !== '')) {
    statements.push(await parseCamt(decode(document)));
  }
  return statements.flat();
};

const decode = (latin1: string): string => decodeStatement(Buffer.from(latin1, 'latin1'));

const toTransactions = ({ booked, pending }: Statements): BankTransaction[] => {
  const isComplete = booked.every((statement) => statement.isWhole && addsUp(statement));
  if (!isComplete) throw new BankUnreachable('incomplete');
  return [...entriesOf(booked), ...entriesOf(pending).map(asPending)].map(toBankTransaction);
};

const entriesOf = (statements: readonly Statement[]): StatementEntry[] =>
  statements.flatMap(({ entries }) => entries);

const asPending = (entry: StatementEntry): StatementEntry => ({ ...entry, status: 'pending' });

const toBankTransaction = ({ date, amount, description, reference, status }: StatementEntry) => ({
  ...{ date, amount, status },
  description: cutText(description, lengthMax.description),
  reference: cutText(reference, lengthMax.reference),
});
