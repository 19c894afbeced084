// The view of a link session: what the widget's page shows in each state.
import { accountDetails } from '../accounts/account.ts';
import type { Institution } from '../connectors/connector.ts';
import type { LinkSessionRow } from '../db/tables.ts';
import { LinkSessionExpired } from '../errors.ts';
import { encodeScopedToken } from '../vault/scopedToken.ts';
import type { LinkingDeps } from './linkSession.ts';
import { type LinkResult, type LinkSessionView, type OpenLinkSession, retryTargets } from './linkSession.ts';

type ViewFrame = Pick<LinkSessionView, 'version' | 'application' | 'institution' | 'reconnect' | 'busy'>;

/** The view of a session. Throws LinkSessionExpired when its result was acknowledged. */
export const toLinkSessionView = (deps: LinkingDeps, session: OpenLinkSession): LinkSessionView => {
  const { row, savedState } = session;
  const frame = toViewFrame(deps, session);
  const institution = savedState.institution!;
  const error = savedState.error && { error: savedState.error };
  switch (row.state) {
    case 'consent':
      return { ...frame, state: 'consent' };
    case 'institution': {
      const noInstitutions = deps.registry.institutions(session.application.environment).length === 0;
      return { ...frame, state: 'institution', ...(noInstitutions && { noInstitutions: true }) };
    }
    case 'credentials':
      return {
        ...frame,
        state: 'credentials',
        institution,
        fields: credentialFields(deps, session),
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

const toViewFrame = (deps: LinkingDeps, { row, application, savedState }: OpenLinkSession): ViewFrame => ({
  version: row.version,
  application: { name: application.name, environment: application.environment },
  reconnect: row.reconnectConnectionId !== null,
  ...(savedState.institution && { institution: savedState.institution }),
  ...(row.lockedUntil && row.lockedUntil > deps.clock.real().toISOString() && { busy: true as const }),
});

/** The sign-in fields of the selected institution. Throws LinkSessionExpired when no connector has it any more. */
export const credentialFields = (
  deps: LinkingDeps,
  { application, savedState }: OpenLinkSession,
): Institution['fields'] => {
  const found = deps.registry.find(application.environment, savedState.institution!.id);
  if (!found) throw new LinkSessionExpired();
  return found.institution.fields;
};

// The page selects accounts by index, so that the bank's ids stay on the server.
const toAccountChoices = ({ savedState }: OpenLinkSession): LinkResult['accounts'] =>
  savedState.accounts!.map((account, index) => ({ id: String(index), ...accountDetails(account) }));

const toProgress = (row: LinkSessionRow) => (row.progress ? { progress: JSON.parse(row.progress) } : {});

const toResult = (session: OpenLinkSession): LinkResult => {
  const { newEndUserId, ...result } = session.openResult();
  if (!newEndUserId) return result;
  const secret = Buffer.from(session.savedState.userSecret!, 'base64url');
  return { ...result, scopedToken: encodeScopedToken({ endUserId: newEndUserId, secret }) };
};

/** The state to which `retry` leads. A session that reconnects cannot select another institution. */
export const retryTarget = ({ row, savedState }: OpenLinkSession, reason: keyof typeof retryTargets) => {
  const target = retryTargets[reason];
  if (target === 'none') return target;
  if (row.reconnectConnectionId) return 'credentials';
  return savedState.institution ? target : 'institution';
};
