// Parses MT940 and MT942 (SWIFT Standards MT, category 9), including banks' deviations. A text may begin and end in the middle of
// a statement, like a page.
import { toDay, toDecimal, toNearestDay } from '@bank-connection/connector-kit';
import { describeEntry } from './mt940Description.ts';
import { type Field, splitFields } from './mt940Fields.ts';
import { type Statement, type StatementBalance, type StatementEntry, StatementError } from './statement.ts';

/** The statements in a text; none if it is empty. Entries in an MT942 are pending. Throws StatementError if anything is invalid. */
export const parseMt940 = (text: string): Statement[] => {
  const fields = splitFields(text);
  if (fields.length === 0 && text.trim() !== '') throw new StatementError(1, 'a field such as :20:');
  return splitStatements(fields).map(toStatement);
};

/** A statement begins with :20:, or at the start of the text. */
const splitStatements = (fields: readonly Field[]): Field[][] => {
  const statements: Field[][] = [];
  for (const field of fields) {
    if (field.tag === '20' || statements.length === 0) statements.push([]);
    statements.at(-1)!.push(field);
  }
  return statements;
};

/** Fields that only an MT942 has: floor limit, time of the report, sums. */
const interimTags = ['34F', '13', '13D', '90C', '90D'];

const toStatement = (fields: Field[]): Statement => {
  const find = (...tags: string[]): Field | undefined => fields.find(({ tag }) => tags.includes(tag));
  const opening = toBalance(find('60F', '60M'));
  // A statement in several parts has a closing balance after each.
  const closing = toBalance(fields.findLast(({ tag }) => tag === '62F' || tag === '62M'));
  const currency = opening?.currency ?? closing?.currency ?? find('34F')?.lines[0]?.slice(0, 3);
  const status = fields.some(({ tag }) => interimTags.includes(tag)) ? 'pending' : 'posted';
  const entries = groupEntries(fields).map((group) => toEntry(group, { status, currency }));
  return {
    account: find('25', '25P')?.lines[0]?.trim() ?? '',
    ...(currency !== undefined && { currency }),
    entries,
    ...(isDated(opening) && { openingBalance: opening }),
    ...(isDated(closing) && { closingBalance: closing }),
    isWhole: status === 'pending' || (opening ? closing !== undefined : !closing && entries.length > 0),
  };
};

/** Each :61:, followed by the fields that describe it. */
const groupEntries = (fields: readonly Field[]): [Field, ...Field[]][] => {
  const groups: [Field, ...Field[]][] = [];
  let isInEntry = false;
  for (const field of fields) {
    if (field.tag === '61') groups.push([field]);
    else if (isInEntry && (field.tag === '86' || field.tag === 'NS')) groups.at(-1)!.push(field);
    isInEntry = field.tag === '61' || (isInEntry && (field.tag === '86' || field.tag === 'NS'));
  }
  return groups;
};

// Field 61: value date, entry date or four blanks, mark, funds code, amount, type, owner's reference, bank's reference. The type,
// sometimes after a blank, shows that the amount is complete.
const linePattern =
  /^(\d\d)(\d\d)(\d\d)(?:(\d\d)(\d\d)| {4})?([RE]?[CD])([A-Z])?(\d{1,15},\d*) ?([A-Z][A-Z0-9 ]{3})(.*)$/;
const ownerReferenceLength = 16;

type EntryContext = { status: StatementEntry['status']; currency: string | undefined };

const toEntry = ([field, ...descriptions]: [Field, ...Field[]], context: EntryContext): StatementEntry => {
  const fail = (expected: string): never => {
    throw new StatementError(field.line, expected);
  };
  const { match, rest } = matchLine(field) ?? fail('a statement line (field 61)');
  const [, year, month, day, entryMonth, entryDay, mark, , amount, , references] = match;
  const valueDate = toDay(toYear(year!), Number(month), Number(day)) ?? fail('a value date (YYMMDD)');
  const entryDate =
    entryMonth === undefined
      ? undefined
      : (toNearestDay(Number(entryMonth), Number(entryDay), valueDate) ?? fail('an entry date (MMDD)'));
  const [owner = ''] = references!.split('//');
  const texts = {
    inline: owner.slice(ownerReferenceLength),
    supplement: rest,
    descriptions: descriptions.map(toDescriptionLines),
  };
  const { description, reference } = describeEntry(texts, owner.slice(0, ownerReferenceLength));
  return {
    ...{ date: entryDate ?? valueDate, valueDate, ...(entryDate !== undefined && { entryDate }) },
    amount: toAmount(amount!, mark!) ?? fail('an amount with a comma'),
    ...(context.currency !== undefined && { currency: context.currency }),
    ...{ description, reference, status: mark!.startsWith('E') ? 'pending' : context.status },
  };
};

/** Hungarian banks describe an entry in a custom field, whose lines begin with two digits. */
const toDescriptionLines = ({ tag, lines }: Field): string[] =>
  tag === 'NS' ? lines.map((line) => line.replace(/^\d\d/, '')) : lines;

/** Some transports wrap the line, even in the middle. */
const matchLine = ({ lines }: Field): { match: RegExpExecArray; rest: string[] } | undefined => {
  const [first = '', second = '', ...others] = lines;
  const whole = linePattern.exec(first);
  if (whole) return { match: whole, rest: [second, ...others] };
  const joined = linePattern.exec(first + second);
  return joined ? { match: joined, rest: others } : undefined;
};

/** SWIFT: 80 to 99 are the years 1980 to 1999. */
const toYear = (year: string): number => (Number(year) < 80 ? 2000 : 1900) + Number(year);

/** RC, the reversal of a credit, is a debit; RD is a credit. E is an expected entry. */
const toAmount = (text: string, mark: string): string | undefined => {
  const amount = toDecimal(text.replace(',', '.'));
  const isOutflow = ['D', 'ED', 'RC'].includes(mark);
  return amount !== undefined && isOutflow && /[1-9]/.test(amount) ? `-${amount}` : amount;
};

// Mark, day, currency, amount.
const balancePattern = /^([CD])([\d ]{0,6})([A-Z]{3})(\d{1,15},\d*)[\s\p{Cc}]*$/u;

type UndatedBalance = Omit<StatementBalance, 'date'> & { date: string | undefined };

/** Text on later lines is ignored unless the line is wrapped. The day may be missing or impossible. */
const toBalance = (field: Field | undefined): UndatedBalance | undefined => {
  if (!field) return undefined;
  const [first = '', second = ''] = field.lines;
  const [, mark, digits, currency, text] =
    balancePattern.exec(first) ?? balancePattern.exec(first + second) ?? [];
  const amount = mark === undefined ? undefined : toAmount(text!, mark);
  if (amount === undefined) throw new StatementError(field.line, `a balance (field ${field.tag})`);
  const [, year, month, day] = /^(\d\d)(\d\d)(\d\d)$/.exec(digits!) ?? [];
  const date = year === undefined ? undefined : toDay(toYear(year), Number(month), Number(day));
  return { amount, currency: currency!, date };
};

const isDated = (balance: UndatedBalance | undefined): balance is StatementBalance =>
  balance?.date !== undefined;
