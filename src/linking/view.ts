// What the page shows, made from where the session stands and what it remembers.

import { accountDetails } from '../accounts/account.ts';
import type { Institution } from '../banks/bank.ts';
import { Expired } from '../errors.ts';
import { encodeScopedToken } from '../vault/scopedToken.ts';
import { retryAfterFailure } from './failure.ts';
import type { OpenSession, Result, SessionRow, View } from './session.ts';
import type { LinkingTools } from './tools.ts';

type Frame = Pick<View, 'version' | 'application' | 'institution' | 'reconnect' | 'busy'>;

/** The view of a session as it stands. Throws Expired where its result was acknowledged. */
export const viewOf = (tools: LinkingTools, session: OpenSession): View => {
  const { row, memory } = session;
  const frame = frameOf(tools, session);
  const institution = memory.institution!;
  const error = memory.error && { error: memory.error };
  switch (row.state) {
    case 'consent':
      return { ...frame, state: 'consent' };
    case 'bank': {
      const noBanks = tools.registry.institutions(session.application.environment).length === 0;
      return { ...frame, state: 'bank', ...(noBanks && { noBanks: true }) };
    }
    case 'credentials':
      return { ...frame, state: 'credentials', institution, fields: fieldsOf(tools, session), ...error };
    case 'challenge':
      return { ...frame, state: 'challenge', institution, challenge: memory.challenge!, ...error };
    case 'accounts':
      return { ...frame, state: 'accounts', institution, accounts: choicesOf(session) };
    case 'importing':
      return { ...frame, state: 'importing', institution, ...progressOf(row) };
    case 'finished':
      return { ...frame, state: 'finished', institution, result: resultOf(session) };
    case 'failed': {
      const reason = row.failure ?? 'internal';
      return { ...frame, state: 'failed', reason, canRetry: canRetry(session, reason) };
    }
    case 'ended':
      throw new Expired();
  }
};

const frameOf = (tools: LinkingTools, { row, application, memory }: OpenSession): Frame => ({
  version: row.version,
  application: { name: application.name, environment: application.environment },
  reconnect: row.reconnectId !== null,
  ...(memory.institution && { institution: memory.institution }),
  ...(row.busyUntil && row.busyUntil > tools.clock.real().toISOString() && { busy: true as const }),
});

/** The form of the chosen bank; Expired where that bank is no longer offered. */
export const fieldsOf = (
  tools: LinkingTools,
  { application, memory }: OpenSession,
): Institution['fields'] => {
  const connector = tools.registry.find(application.environment, memory.institution!.id);
  if (!connector) throw new Expired();
  return connector.institution.fields;
};

// The bank's own ids stay on the server: the page chooses by position.
const choicesOf = ({ memory }: OpenSession): Result['accounts'] =>
  memory.accounts!.map((account, at) => ({ id: String(at), ...accountDetails(account) }));

const progressOf = (row: SessionRow) => (row.progress ? { progress: JSON.parse(row.progress) } : {});

const resultOf = (session: OpenSession): Result => {
  const { newEndUserId, ...result } = session.openResult();
  if (!newEndUserId) return result;
  const secret = Buffer.from(session.memory.userSecret!, 'base64url');
  return { ...result, scopedToken: encodeScopedToken({ endUserId: newEndUserId, secret }) };
};

/** Where `retry` leads from a failure; a session that reconnects has no other bank to go to. */
export const canRetry = ({ row, memory }: OpenSession, reason: keyof typeof retryAfterFailure) => {
  const target = retryAfterFailure[reason];
  if (target === 'none') return target;
  if (row.reconnectId) return 'credentials';
  return memory.institution ? target : 'bank';
};
