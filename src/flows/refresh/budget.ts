// Limits how often a bank is polled without its end user. A conversation is counted before it starts, when the job is leased,
// so that retries, crashes and several workers count as well.
import type { BankLimits } from '../../../connectors/kit/contract.ts';
import type { JobRow } from '../../platform/db/tables.ts';
import { addMilliseconds, days, seconds } from '../../platform/values/clock.ts';

/** A bank counts from the request, which follows the start of the conversation by the duration of the sign-in. */
const countedMs = days(1) + seconds(600);

/** One conversation: its start, and the polled accounts; null means all. */
type Conversation = { at: string; accountIds: string[] | null };

/** The conversations of the last 24 hours, oldest first, and when (ISO 8601) the bank's pauses for single accounts end. */
export type Polls = { conversations: Conversation[]; pauses: Record<string, string> };

/** Parses lines that each begin with a time. Ignores damaged lines. */
export const parsePolls = ({ asked }: Pick<JobRow, 'asked'>): Polls => {
  const lines = (asked ?? '').split('\n').map((line) => line.split(' '));
  const valid = lines.filter(([time = '']) => !Number.isNaN(Date.parse(time))) as [string, ...string[]][];
  return {
    conversations: valid.flatMap(([at, ...words]) =>
      words[0] === 'pause' ? [] : { at, accountIds: words[0] === 'all' ? null : words },
    ),
    pauses: Object.fromEntries(
      valid.flatMap(([until, word, id]) => (word === 'pause' && id ? [[id, until] as const] : [])),
    ),
  };
};

const toText = ({ conversations, pauses }: Polls): string | null =>
  [
    ...conversations.map(({ at, accountIds }) => [at, ...(accountIds ?? ['all'])]),
    ...Object.entries(pauses).map(([id, until]) => [until, 'pause', id]),
  ]
    .map((words) => words.join(' '))
    .join('\n') || null;

/**
 * Null if nothing is left. For a bank without a daily limit, only the last conversation is kept, and only if the bank requires
 * a pause.
 */
export const formatPolls = (
  { conversations, pauses }: Polls,
  { unattendedReadsPerDay, restSeconds }: Required<BankLimits>,
): string | null => {
  const last = restSeconds > 0 ? 1 : 0;
  const kept = conversations.slice(Number.isFinite(unattendedReadsPerDay) ? 0 : conversations.length - last);
  return toText({ conversations: kept, pauses });
};

/** Counts a conversation that starts now, for all accounts unless `countOnly` limits it. */
export const countConversation = (job: Pick<JobRow, 'asked'>, now: Date): string | null => {
  const polls = parsePolls(job);
  const at = now.toISOString();
  const oldest = addMilliseconds(now, -countedMs).toISOString();
  const pauses = Object.entries(polls.pauses).filter(([, until]) => until > at);
  const kept = polls.conversations.filter((one) => one.at > oldest && one.at <= at);
  const conversations: Conversation[] = [...kept, { at, accountIds: null }];
  return toText({ conversations, pauses: Object.fromEntries(pauses) });
};

/** Removes the last conversation, which did not reach the bank. */
export const withoutLast = ({ conversations, pauses }: Polls): Polls => ({
  conversations: conversations.slice(0, -1),
  pauses,
});

/** Limits the last conversation to the accounts that it polled. */
export const countOnly = (polls: Polls, accountIds: string[] | null): Polls => {
  const last = polls.conversations.at(-1);
  return last
    ? { ...polls, conversations: [...polls.conversations.slice(0, -1), { ...last, accountIds }] }
    : polls;
};

/** The earliest time to poll an account; without an id, every conversation counts. */
export const allowedFrom = (
  { conversations, pauses }: Polls,
  { unattendedReadsPerDay, restSeconds }: Required<BankLimits>,
  accountId?: string,
): string => {
  const about = conversations.filter(
    ({ accountIds }) => !accountIds || accountId === undefined || accountIds.includes(accountId),
  );
  const oldest = about.length < unattendedReadsPerDay ? undefined : about.at(-unattendedReadsPerDay);
  const rested = conversations.at(-1);
  const times = [
    oldest ? addMilliseconds(new Date(oldest.at), countedMs).toISOString() : '',
    rested && restSeconds > 0 ? addMilliseconds(new Date(rested.at), seconds(restSeconds)).toISOString() : '',
    accountId === undefined ? '' : (pauses[accountId] ?? ''),
  ];
  return times.sort().at(-1)!;
};
