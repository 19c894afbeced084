// Keeps the consent of an abandoned link session, so that the worker can revoke it at the bank.
import type { SignInResult } from '../../../connectors/kit/contract.ts';
import { insertRevocation } from '../../domain/connections/revocationStore.ts';
import { makeId } from '../../platform/values/ids.ts';
import { sealForWorker } from '../../platform/vault/seal.ts';
import { linkSessionExpiry } from './linkSession.ts';
import { connectorOf, type StepContext } from './step.ts';

/**
 * Stores the data needed to revoke the consent, sealed to the worker. Returns the row's id; undefined if there is nothing to
 * revoke.
 */
export const storePendingRevocation = async (
  context: StepContext,
  { id: institutionId }: { id: string },
  { access, deviceToken }: SignInResult & { kind: 'signedIn' },
): Promise<string | undefined> => {
  const { deps, session } = context;
  if (!connectorOf(context).revoke) return undefined;
  const { id: applicationId, organizationId, environment } = session.application;
  const id = makeId('rev');
  await deps.workerPublicKeys.withCurrent(({ key }) =>
    insertRevocation(deps.db.write, {
      ...{ id, applicationId, organizationId, environment, institutionId, linkSessionId: session.row.id },
      credentials: sealForWorker({ access, deviceToken }, ['credentials', id], key),
      createdAt: deps.clock.real().toISOString(),
      dueAt: linkSessionExpiry(deps),
    }),
  );
  return id;
};
