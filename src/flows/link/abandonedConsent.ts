// A consent that an end user gives at a bank, and then leaves the link session: the worker gives it back.
import type { SignInResult } from '../../../connectors/kit/contract.ts';
import { insertRevocation } from '../../domain/connections/revocationStore.ts';
import { makeId } from '../../platform/values/ids.ts';
import { sealForWorker } from '../../platform/vault/seal.ts';
import { linkSessionExpiry } from './linkSession.ts';
import { connectorOf, type StepContext } from './step.ts';

/** Keeps what gives the consent back, sealed to the worker, and returns the id of the row; undefined where nothing is to be done. */
export const keepForRevocation = async (
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
