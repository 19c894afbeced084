// Requests the first page of each account's transactions while the end user is present, because some banks want a TAN for it. The
// import continues with the second page.
import {
  BankRefused,
  BankUnreachable,
  type CallContext,
  type SignInResult,
  toDayNumber,
} from '@bank-connection/connector-kit';
import { accountIdOf, type FintsAccount } from './accounts.ts';
import { findTanQuestion, toChallengeResult } from './challenge.ts';
import { OrderFailed, wantsTan } from './codes.ts';
import type { Dialog, FintsDeps } from './dialog.ts';
import { bytesOf, type Days, type FirstPage } from './firstPage.ts';
import { type OpenDialog, orderFirstPage, unapprovedDays } from './history.ts';
import type { BankResponse } from './message.ts';
import { readBalances } from './orders.ts';
import { findFirstPage } from './reading.ts';
import { continueAccess, hasBalances, reopen } from './resume.ts';
import { toSignedIn } from './signIn.ts';
import type { Access, Approval, Device, FirstAnswer } from './state.ts';
import { findStatementOrder } from './statementOrders.ts';

/** For all accounts together, because the pages are part of the access. */
const pagesBytesMax = 8 * 1024 ** 2;

/** Requests the first page for these accounts, one after the other, until the bank wants a TAN. Throws only if aborted. */
export const startApproval = (
  deps: FintsDeps,
  access: Access,
  accountIds: readonly string[],
  context: CallContext,
): Promise<SignInResult> => {
  const ordered = access.accounts.filter(
    (account) => accountIds.includes(accountIdOf(account)) && findStatementOrder(account, access.parameters),
  );
  const approval = { accountIds: ordered.map(accountIdOf), index: 0 };
  // If the end user chose accounts before, their pages are kept.
  return orderPages(deps, { access: { firstAnswers: {}, ...access }, ...approval }, context);
};

/** The dialog, absent if the bank ended it, and the first page, absent if the bank did not send it. */
type Answered = { approval: Approval; range: Days; dialog?: Dialog; page?: BankResponse };

/** Continues with the next account. */
export const continueAfterAnswer = (
  deps: FintsDeps,
  { approval, range, dialog, page }: Answered,
  context: CallContext,
): Promise<SignInResult> => {
  const { accountIds, index } = approval;
  const { dialog: before, ...closed } = approval.access;
  const isApproved = before?.isApproved || page !== undefined;
  const access = dialog ? withDialog(closed, { dialog, isApproved }) : closed;
  const answer = { isAsked: true, ...(page && { first: { range, page } }) };
  const next = { access: withAnswer(access, accountIds[index]!, answer), accountIds, index: index + 1 };
  return orderPages(deps, next, context);
};

/** Uses the dialog of the access, or a new one if it has ended. If both fail, the import will report the reason. */
const orderPages = async (
  deps: FintsDeps,
  approval: Approval,
  context: CallContext,
): Promise<SignInResult> => {
  const { access } = approval;
  const progress = { ...approval };
  const resume = () => access.dialog && continueAccess(deps, access, access.dialog, context);
  for (const open of [resume, async () => (await reopen(deps, access, context)).open]) {
    try {
      const dialog = await open();
      if (dialog) return await orderInDialog(dialog, progress, context.now);
    } catch (error) {
      const isOfBank = error instanceof BankUnreachable || error instanceof BankRefused;
      if (context.signal.aborted || !isOfBank) throw error;
    }
  }
  return finish(progress.access);
};

/** Stores each answer in `progress` even if an error follows, so that nothing is requested twice. */
const orderInDialog = async (open: OpenDialog, progress: Approval, now: Date): Promise<SignInResult> => {
  const { accountIds } = progress;
  for (; progress.index < accountIds.length; progress.index++) {
    const id = accountIds[progress.index]!;
    if (findFirstPage({ open, access: progress.access }, id)) continue;
    const account = progress.access.accounts.find((one) => accountIdOf(one) === id)!;
    const first = await orderFirst(open, account, now);
    if (!first) continue;
    const isAsked = wantsTan(first.page);
    const question = isAsked && ask(open, progress, first);
    if (question) return question;
    progress.access = withAnswer(progress.access, id, { isAsked, ...(!isAsked && { first }) });
  }
  return finish(withDialog(progress.access, open));
};

/** Undefined if the bank refuses the order. Throws if the bank ended the dialog, which some banks report in the same way. */
const orderFirst = async (
  open: OpenDialog,
  account: FintsAccount,
  now: Date,
): Promise<FirstPage | undefined> => {
  const order = findStatementOrder(account, open.parameters)!;
  try {
    return await orderFirstPage(open, order, { since: undefined, now, isAttended: true });
  } catch (error) {
    if (!(error instanceof OrderFailed)) throw error;
    if (!hasBalances(await readBalances(open, [account], now))) throw new BankUnreachable('down');
    return undefined;
  }
};

/** Undefined if the question cannot be shown to the user. */
const ask = (
  open: OpenDialog,
  { access, accountIds, index }: Approval,
  { range, page }: FirstPage,
): SignInResult | undefined => {
  const { login, device } = access;
  const question = findTanQuestion(page);
  if (!question || !device.method) return undefined;
  const { orderReference, challenge } = question;
  const pending = { device, dialog: open.dialog.state(), orderReference, polls: 0 };
  const approval = { access: withDialog(access, open), accountIds, index };
  return toChallengeResult({ login, step: 'tan', pending, challenge, about: { approval, range } });
};

const withDialog = (access: Access, { dialog, isApproved }: Omit<OpenDialog, 'parameters'>): Access => ({
  ...access,
  dialog: { ...dialog.state(), isApproved, isAttended: true },
});

/** Omits the page if all pages together would be too long. */
const withAnswer = (access: Access, id: string, { isAsked, first }: FirstAnswer): Access => {
  const pages = [...Object.values(access.firstAnswers ?? {}), { first }].flatMap(
    (one) => one.first?.page ?? [],
  );
  const fits = pages.reduce((sum, page) => sum + bytesOf(page), 0) <= pagesBytesMax;
  const answer = { isAsked, ...(first && fits && { first }) };
  return { ...access, firstAnswers: { ...access.firstAnswers, [id]: answer } };
};

const finish = (access: Access): SignInResult => toSignedIn({ ...access, device: renewMark(access) });

/** A question about older days does not predict that the bank will ask during a refresh. */
const renewMark = ({ device, firstAnswers = {} }: Access): Device => {
  const answers = Object.values(firstAnswers);
  const asked = answers.filter(({ isAsked }) => isAsked);
  if (asked.some(({ first }) => first && isRecent(first.range)))
    return { ...device, asksForStatements: true };
  const { asksForStatements: _, ...unmarked } = device;
  return answers.length > 0 && asked.length === 0 ? unmarked : device;
};

const isRecent = ({ from, to }: Days): boolean => toDayNumber(to) - toDayNumber(from) <= unapprovedDays;
