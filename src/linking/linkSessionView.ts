// What the page shows, made from where the session stands and what it remembers.

import { accountDetails } from '../accounts/account.ts';
import type { Institution } from '../connectors/connector.ts';
import { LinkSessionExpired } from '../errors.ts';
import { encodeScopedToken } from '../vault/scopedToken.ts';
import { retryTargets } from './linkFailureReason.ts';
import type { OpenLinkSession, LinkResult, LinkSessionRow, LinkSessionView } from './linkSession.ts';
import type { LinkingDeps } from './deps.ts';

type ViewFrame = Pick<LinkSessionView, 'version' | 'application' | 'institution' | 'reconnect' | 'busy'>;

/** The view of a session as it stands. Throws Expired where its result was acknowledged. */
export const toLinkSessionView = (tools: LinkingDeps, session: OpenLinkSession): LinkSessionView => {
  const { row, savedState } = session;
  const frame = toViewFrame(tools, session);
  const institution = savedState.institution!;
  const error = savedState.error && { error: savedState.error };
  switch (row.state) {
    case 'consent':
      return { ...frame, state: 'consent' };
    case 'institution': {
      const noInstitutions = tools.registry.institutions(session.application.environment).length === 0;
      return { ...frame, state: 'institution', ...(noInstitutions && { noInstitutions: true }) };
    }
    case 'credentials':
      return {
        ...frame,
        state: 'credentials',
        institution,
        fields: credentialFields(tools, session),
        ...error,
      };
    case 'challenge':
      return { ...frame, state: 'challenge', institution, challenge: savedState.challenge!, ...error };
    case 'accounts':
      return { ...frame, state: 'accounts', institution, accounts: toAccountChoices(session) };
    case 'importing':
      return { ...frame, state: 'importing', institution, ...toProgress(row) };
    case 'finished':
      return { ...frame, state: 'finished', institution, result: toResult(session) };
    case 'failed': {
      const reason = row.failure ?? 'internal';
      return { ...frame, state: 'failed', reason, retryTarget: retryTarget(session, reason) };
    }
    case 'ended':
      throw new LinkSessionExpired();
  }
};

const toViewFrame = (tools: LinkingDeps, { row, application, savedState }: OpenLinkSession): ViewFrame => ({
  version: row.version,
  application: { name: application.name, environment: application.environment },
  reconnect: row.reconnectId !== null,
  ...(savedState.institution && { institution: savedState.institution }),
  ...(row.lockedUntil && row.lockedUntil > tools.clock.real().toISOString() && { busy: true as const }),
});

/** The form of the chosen bank; Expired where that bank is no longer offered. */
export const credentialFields = (
  tools: LinkingDeps,
  { application, savedState }: OpenLinkSession,
): Institution['fields'] => {
  const connector = tools.registry.find(application.environment, savedState.institution!.id);
  if (!connector) throw new LinkSessionExpired();
  return connector.institution.fields;
};

// The bank's own ids stay on the server: the page chooses by position.
const toAccountChoices = ({ savedState }: OpenLinkSession): LinkResult['accounts'] =>
  savedState.accounts!.map((account, at) => ({ id: String(at), ...accountDetails(account) }));

const toProgress = (row: LinkSessionRow) => (row.progress ? { progress: JSON.parse(row.progress) } : {});

const toResult = (session: OpenLinkSession): LinkResult => {
  const { newEndUserId, ...result } = session.openResult();
  if (!newEndUserId) return result;
  const secret = Buffer.from(session.savedState.userSecret!, 'base64url');
  return { ...result, scopedToken: encodeScopedToken({ endUserId: newEndUserId, secret }) };
};

/** Where `retry` leads from a failure; a session that reconnects has no other bank to go to. */
export const retryTarget = ({ row, savedState }: OpenLinkSession, reason: keyof typeof retryTargets) => {
  const target = retryTargets[reason];
  if (target === 'none') return target;
  if (row.reconnectId) return 'credentials';
  return savedState.institution ? target : 'institution';
};
