// The banks of the test bank, each described by its response to each order.
import { elementsOf, partsOf, type Segment, toText } from '../message.ts';
import { said } from './segments.ts';
import { balanceMt940, camtPages, cardSegment, filterMt940, hasEntry, moveMt940 } from './statementData.ts';

export type Question = 'push' | 'manual' | 'photo' | 'flicker' | 'chipTanPicture' | 'chipTanFlicker' | 'app';

export type BankUser = {
  pin: string;
  /** The response that refuses every message. */
  refusal?: string;
  /** The methods that the user can choose; by default the recorded method. */
  methods?: number[];
  /** Offers both recorded devices instead of only the second one. */
  hasTwoMedia?: true;
  /** The kind of confirmation that the bank wants; by default none. */
  asks?: Question;
  /** At each sign-in, even within 90 days. */
  asksAlways?: true;
  wrongTanEnds?: true;
  denies?: true;
  neverApproves?: true;
  /** The statements that need a TAN; those of cards only if listed. */
  statementTan?: 'older' | 'olderAlways' | 'always' | 'alwaysWithCards';
  /** The kind of question for a statement. */
  asksForStatement?: Question;
};

export type OrderContext = { user: BankUser; today: string };

export type Profile = {
  /** The methods of every user; empty if the bank accepts the PIN alone. */
  methods: number[];
  /** The response to an anonymous dialog. */
  anonymous: string;
  /** The response to HKSYN, with the bank's parameters. */
  synchronized: string;
  wrongPin: string;
  wantsTan: string;
  /** The responses to HKIDN, before and after a TAN. */
  signedIn: string;
  signedInByTan: string;
  answer(order: Segment, context: OrderContext): string;
};

const toDate = (text = ''): string => `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;

type Range = { from: string; to: string; mark: string };

/** The days and the continuation mark in HKKAZ or HKCAZ. The account, the formats (HKCAZ only) and "all accounts" precede them. */
const rangeOf = (order: Segment): Range => {
  const elements = elementsOf(order).slice(order.id === 'HKCAZ' ? 3 : 2);
  const [from, to, , mark] = elements.map(toText);
  return { from: toDate(from), to: toDate(to), mark: mark ?? '' };
};

const cardRangeOf = (order: Segment): { number: string; from: string } => {
  const [, number = '', , from] = elementsOf(order).map(toText);
  return { number, from: toDate(from) };
};

const asksAlways = ({ statementTan }: BankUser): boolean => statementTan?.startsWith('always') ?? false;

/** True if the bank wants a TAN for this order, which must be for the first page of a statement. */
export const wantsStatementTan = (
  order: Segment,
  { user, today, isApproved }: OrderContext & { isApproved: boolean },
): boolean => {
  if (order.id === 'DKKKU') return user.statementTan === 'alwaysWithCards' && cardRangeOf(order).from < today;
  if (order.id !== 'HKKAZ' && order.id !== 'HKCAZ') return false;
  const { from, mark } = rangeOf(order);
  if (mark !== '') return false;
  const isOlder = Date.parse(today) - Date.parse(from) > 90 * 86_400_000;
  if (asksAlways(user)) return true;
  if (user.statementTan === 'olderAlways') return isOlder;
  return user.statementTan === 'older' && isOlder && !isApproved;
};

const dkbMark = '9978-12-08-12.12.22.?:9789';

/** The two recorded pages without the entries of other days, and with adjusted balances. */
const answerMt940 = (order: Segment, context: OrderContext): string => {
  const range = rangeOf(order);
  if (!hasEntry(range, context.today)) return said.nothing.text;
  const isFirst = range.mark === '';
  if (!isFirst && range.mark !== toText(dkbMark)) return said.orderFailed.text;
  const recorded = [said.dkbStatement1.text, said.dkbStatement2.text];
  const pages = balanceMt940(recorded.map((page) => filterMt940(moveMt940(page, context.today), range)));
  const [head, text] = isFirst ? [said.dkbPage1.text, pages[0]!] : [said.dkbPage2.text, pages[1]!];
  return `${head}@${text.length}@${text}'`;
};

/** Three pages, of which the second is empty, or the last two if the first needs a TAN. */
const answerCamt = (order: Segment, { user, today }: OrderContext): string => {
  const range = rangeOf(order);
  const pages = camtPages(range, today, asksAlways(user) ? [2, 0, 0] : [1, 0, 1]);
  const index = range.mark === '' ? 0 : Number(range.mark.replace('PAGE', ''));
  const page = pages[index];
  if (!page) return said.orderFailed.text;
  const more = index + 1 < pages.length ? `+3040::Weitere Informationen.:PAGE${index + 1}` : '';
  return `${said.done.text.replace(/'$/, `${more}'`)}${page}`;
};

const answerCard = (order: Segment, { today }: OrderContext): string => {
  const { number, from } = cardRangeOf(order);
  return `${said.done.text}${cardSegment(number, from, today)}`;
};

const answerDkb = (order: Segment, context: OrderContext): string => {
  switch (order.id) {
    case 'HKTAB':
      return context.user.hasTwoMedia
        ? said.dkbMedia.text
        : said.dkbMedia.text.replace('+A:1:::::::::::pushtan::::::::', '');
    case 'HKSPA':
      return said.dkbIbans.text;
    case 'HKSAL':
      return said.dkbBalance.text;
    case 'HKKAZ':
      return answerMt940(order, context);
    case 'HKCAZ':
      return answerCamt(order, context);
    case 'DKKKU':
      return answerCard(order, context);
    case 'HKKKU':
      return said.cardBalance.text;
    default:
      return said.orderFailed.text;
  }
};

const withoutCamt = (parameters: string): string => parameters.replace(/HICAZS:(?:\?.|[^'?])*'/, '');
const dkbParameters = `${said.dkbParameters.text}${said.decoupledMethods.text}`;
const tanAccepted = said.done.text;

const makeDkb = (parameters: string): Profile => ({
  methods: [921],
  anonymous: said.done.text + parameters,
  synchronized: said.dkbSynchronized.text + parameters,
  wrongPin: said.wrongPin.text,
  wantsTan: said.dkbStatementWantsTan.text,
  signedIn: withoutMethods(said.dkbSignedIn.text) + parameters,
  signedInByTan: tanAccepted + accountsOf(said.dkbSignedIn.text) + parameters,
  answer: answerDkb,
});

/** The recorded list of methods belongs to one user. */
const withoutMethods = (text: string): string => text.replace(/\+3920::[^+']*/, '');

/** The segments about the user. */
const accountsOf = (text: string): string =>
  (text.match(/HIUPA:(?:\?.|[^'?])*'|HIUPD:(?:\?.|[^'?])*'/g) ?? []).join('');

const composedBalance = (order: Segment): string => {
  const [number] = partsOf(elementsOf(order)[0]);
  return `${said.done.text}HISAL:7:6:3+${number}::280:BANK+Konto+EUR+D:7,5:EUR:20190920'`;
};

/** The recorded length counts UTF-8 bytes. */
const consorsStatement = Buffer.from(said.consorsStatement.text).toString('latin1');

/** Consors: a TAN at each sign-in, after which the bank sends its parameters and the accounts. */
const consorsProfile: Profile = {
  methods: [900],
  anonymous: said.done.text + said.consorsParameters.text,
  synchronized: said.consorsSynchronized.text + said.consorsParameters.text,
  wrongPin: said.wrongPin.text,
  wantsTan: said.consorsWantsTan.text,
  signedIn: said.consorsSignedIn.text,
  signedInByTan: said.consorsSignedIn.text,
  answer: (order) => {
    if (order.id === 'HKSPA') return said.consorsIbans.text;
    if (order.id === 'HKSAL') return composedBalance(order);
    if (order.id !== 'HKKAZ') return said.orderFailed.text;
    return elementsOf(order)[0]!.includes('012345678') ? consorsStatement : said.consorsEmpty.text;
  },
};

/** ING: the PIN alone, as recorded before strong authentication, and an empty statement. */
const ingProfile: Profile = {
  methods: [],
  anonymous: said.noAnonymousDialog.text,
  synchronized: said.ingSynchronized.text,
  wrongPin: said.ingBlocked.text,
  wantsTan: '',
  signedIn: said.ingSignedIn.text,
  signedInByTan: '',
  answer: (order) => {
    if (order.id === 'HKSPA') return said.ingIbans.text;
    if (order.id === 'HKSAL') return composedBalance(order);
    return order.id === 'HKKAZ' ? said.ingEmpty.text : said.orderFailed.text;
  },
};

export const profiles: Record<string, Profile> = {
  /** DKB as recorded, with MT940. */
  dkb: makeDkb(withoutCamt(dkbParameters)),
  /** DKB with its recorded parameters, which offer camt; the pages are composed. */
  'dkb-camt': makeDkb(dkbParameters),
  consors: consorsProfile,
  ing: ingProfile,
};
