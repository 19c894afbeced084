// Reads of accounts at the fake provider: details, balances and transactions, with the banks' limits, periods and pages.
import { randomUUID } from 'node:crypto';
import { fromDayNumber, toDayNumber, toIsoDate } from '@bank-connection/connector-kit';
import type { FakeAccount } from './account.ts';
import { daySeconds, type FakeBank, toAspsp } from './bank.ts';
import { Refusal, refusal, type Schemas } from './contract.ts';
import { type Asked, deliver } from './delivery.ts';
import { requireOpen, toResource } from './sessions.ts';
import type { FakeRequest, Page, Session, SessionAccount, State } from './state.ts';

const firstHistorySeconds = 300;

/** True if there are no headers about the user. Refuses a request with only some of the headers that the bank requires. */
const hasNoUser = (bank: FakeBank, { psuHeaders }: FakeRequest): boolean => {
  if (Object.keys(psuHeaders).length === 0) return true;
  const missing = toAspsp(bank).required_psu_headers?.filter((name) => !psuHeaders[name.toLowerCase()]);
  if (missing?.length) throw refusal(422, 'PSU_HEADER_NOT_PROVIDED', { missing });
  return false;
};

/**
 * Counts an unattended read, and refuses reads beyond the limit per account, endpoint and consent in 24 hours (Commission
 * Delegated Regulation 2018/389, article 36(5)(b)). Reads that the bank refuses for another reason also count.
 */
const countRead = (bank: FakeBank, { reads }: SessionAccount, request: FakeRequest): void => {
  const at = request.at.getTime();
  const recent = (reads.get(request.operationId) ?? []).filter((time) => time > at - daySeconds * 1000);
  if (recent.length >= (bank.unattendedReadsMax ?? 4)) throw refusal(429, 'ASPSP_RATE_LIMIT_EXCEEDED');
  reads.set(request.operationId, [...recent, at]);
};

type Opened = { session: Session; read: SessionAccount; isUnattended: boolean };

/** The account for a `uid`, which is valid only in an open session. */
const openAccount = (state: State, request: FakeRequest): Opened => {
  for (const session of state.sessions.values()) {
    const read = session.accounts.find(({ uid }) => uid === request.parameters.account_id);
    if (!read || read.account.hasNoUid) continue;
    request.account = read.account;
    requireOpen(state, session, request);
    return { session, read, isUnattended: hasNoUser(session.bank, request) };
  }
  throw refusal(404, 'ACCOUNT_DOES_NOT_EXIST');
};

/** Queries the bank, which may refuse every read of this account. */
const askBank = ({ session, read, isUnattended }: Opened, request: FakeRequest): void => {
  if (isUnattended) countRead(session.bank, read, request);
  const { isLimited, refusedWith } = read.account;
  if (isLimited) throw refusal(429, 'ASPSP_RATE_LIMIT_EXCEEDED');
  if (refusedWith === 401) throw refusal(401, 'ASPSP_ACCOUNT_NOT_ACCESSIBLE');
  if (refusedWith === 404) throw refusal(404, 'ACCOUNT_DOES_NOT_EXIST');
};

export const getDetails = (state: State, request: FakeRequest): Schemas['Account'] => {
  const opened = openAccount(state, request);
  askBank(opened, request);
  return toResource(opened.read);
};

const unknownError = (): Refusal => refusal(400, 'ASPSP_ERROR', 'Unknown error');

export const getBalances = (state: State, request: FakeRequest): { balances: Schemas['Balance'][] } => {
  const opened = openAccount(state, request);
  askBank(opened, request);
  if (opened.read.account.failsBalances) throw unknownError();
  return { balances: opened.read.account.balances };
};

const refusedPeriod = ({ refusesPeriod }: FakeAccount, earliest: string, asked: Asked): Refusal => {
  const period = `dateFrom=${asked.date_from}, dateTo=${asked.date_to}`;
  if (refusesPeriod === 'asUnknownError') return unknownError();
  if (refusesPeriod === 'byOwnError')
    return new Refusal(422, { title: 'The period is too long.', code: 'PERIOD_INVALID', detail: period });
  const detail = {
    withDate: { message: 'The period is too long.', date_from: earliest },
    withoutDate: { message: 'The period is too long.' },
    withText: period,
  }[refusesPeriod ?? 'withDate'];
  return refusal(422, 'WRONG_TRANSACTIONS_PERIOD', detail);
};

/** The request with the first day that the bank returns. Banks count days inclusively. */
const withPeriod = ({ createdAt }: Session, account: FakeAccount, asked: Asked, now: Date): Asked => {
  const isFirst = now.getTime() < createdAt.getTime() + firstHistorySeconds * 1000;
  if (isFirst && !account.limitsFirstHistory) return asked;
  const earliest = fromDayNumber(toDayNumber(toIsoDate(now)) - (account.historyDays ?? 90) + 1);
  if (asked.date_from !== undefined && asked.date_from < earliest)
    throw refusedPeriod(account, earliest, asked);
  return { date_from: earliest, ...asked };
};

const checkDates = ({ date_from: from, date_to: to }: Asked, now: Date): void => {
  if (from === undefined && to !== undefined) throw refusal(422, 'DATE_TO_WITHOUT_DATE_FROM');
  if (from !== undefined && from > toIsoDate(now)) throw refusal(422, 'DATE_FROM_IN_FUTURE');
  if (from !== undefined && to !== undefined && from > to) throw refusal(422, 'WRONG_DATE_INTERVAL');
};

const pagesOf = ({ pageSize = 100, emptyPages = 0 }: FakeAccount, rows: Schemas['Transaction'][]) => {
  const count = Math.max(1, Math.ceil(rows.length / pageSize));
  const full = Array.from({ length: count }, (_, at) => rows.slice(at * pageSize, (at + 1) * pageSize));
  return [...Array.from({ length: emptyPages }, () => []), ...full];
};

/**
 * One page. A key is valid in its session, with the parameters of the first page. All pages of a sequence count as one read, and
 * return the rows as of the first page's request.
 */
export const getTransactions = (state: State, request: FakeRequest) => {
  const opened = openAccount(state, request);
  const { session, read } = opened;
  const { account_id: _, continuation_key: key, ...parameters } = request.parameters;
  const asked: Asked = parameters;
  const askedText = JSON.stringify(Object.entries(parameters).toSorted());
  const next = key === undefined ? undefined : read.pages.get(key);
  if (key !== undefined && !next) throw refusal(422, 'WRONG_CONTINUATION_KEY');
  const isOther = next && next.asked !== askedText;
  if (isOther || (next && read.account.refusesNextPages)) throw refusal(422, 'WRONG_REQUEST_PARAMETERS');
  if (next) return answerPage(read, next);
  checkDates(asked, request.at);
  askBank(opened, request);
  const refusesFilter = asked.transaction_status === 'PDNG' && read.account.refusesPendingFilter;
  if (refusesFilter === 422) throw refusal(422, 'WRONG_REQUEST_PARAMETERS');
  if (refusesFilter === 400) throw unknownError();
  const rows = deliver(read.account, withPeriod(session, read.account, asked, request.at), request.at);
  return answerPage(read, { rows: pagesOf(read.account, rows), index: 0, asked: askedText });
};

const answerPage = ({ account, pages }: SessionAccount, { rows, index, asked }: Page) => {
  const isLast = index + 1 === rows.length && !account.repeatsFirstPage;
  const key = account.repeatsFirstPage ? 'the same' : randomUUID();
  if (!isLast) pages.set(key, { rows, index: account.repeatsFirstPage ? index : index + 1, asked });
  return { transactions: rows[index]!, continuation_key: isLast ? null : key };
};
