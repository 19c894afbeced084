// One conversation with a bank. Renewed credentials are stored at once, because the bank may reject the previous ones from then
// on, even if the job fails.
import type { CallContext, Connector, Reading, Renewal } from '../../../connectors/kit/contract.ts';
import { consentColumns } from '../../domain/connections/consentColumns.ts';
import { type Connection, replaceCredentials } from '../../domain/connections/store.ts';
import type { DbTransaction } from '../../platform/db/open.ts';
import { BankRefused, BankUnreachable } from '../../platform/values/errors.ts';
import type { PublicKey } from '../../platform/vault/keys.ts';
import { type BankCredentials, sealForWorker } from '../../platform/vault/seal.ts';
import { type ClaimedJob, type JobDeps, LeaseLost, renewLease } from './jobs.ts';

/** Throws BankUnreachable for an institution that is no longer configured. */
export const requireInstitution = ({ registry }: JobDeps, { environment }: ClaimedJob, id: string) => {
  const found = registry.find(environment, id);
  if (!found) throw new BankUnreachable('down');
  return found;
};

/**
 * Stores credentials that a bank renews while a job runs. `requireLease` locks the job, and throws LeaseLost if another process
 * is running it.
 */
export const keepRenewed = (
  deps: JobDeps,
  job: ClaimedJob,
  store: (trx: DbTransaction, worker: PublicKey, requireLease: () => Promise<void>) => Promise<void>,
): Promise<void> =>
  deps.workerKeys.withCurrent(({ key }) =>
    deps.db.transaction((trx) =>
      store(trx, key, async () => {
        if (!(await renewLease(trx, job, deps))) throw new LeaseLost();
      }),
    ),
  );

export type BankSession = {
  connector: Connector;
  access: string;
  call: CallContext;
  /** Stores renewed credentials, if any. */
  keep(renewal: Renewal): Promise<void>;
};

/** The bank's ids of the accounts to read, and the first day (YYYY-MM-DD); all if absent. */
type ReadRequest = { accountIds?: readonly string[]; since?: string };

/** Passes a reading to `use` and stores renewed credentials. Rethrows errors from `use` after the conversation ends. */
export const readBank = async <Result>(
  { connector, access, call, keep }: BankSession,
  request: ReadRequest,
  use: (reading: Reading) => Promise<Result>,
): Promise<Result> => {
  const reading = await connector.read(access, request, call);
  let result: Result;
  try {
    result = await use(reading);
  } catch (error) {
    await keep(await reading.end().catch((): Renewal => ({})));
    throw error;
  }
  await keep(await reading.end());
  return result;
};

type SignInUnattended = Pick<Connection, 'institutionId' | 'consentExpiresAt'> & { stored: BankCredentials };

/** Signs in without the end user. Throws BankRefused if the bank requires them. */
export const signInUnattended = async (
  deps: JobDeps,
  job: ClaimedJob,
  { institutionId, stored, consentExpiresAt }: SignInUnattended,
  call: CallContext,
): Promise<BankSession> => {
  const { connector, ref } = requireInstitution(deps, job, institutionId);
  const { values, deviceToken } = stored;
  const request = { institution: ref, credentials: values, deviceToken, attended: false };
  const signedIn = await connector.signIn(request, call);
  if (signedIn.kind === 'challenge') throw new BankRefused('user_action_required');
  let credentials = stored;
  let endsAt = consentExpiresAt;
  const keep = async (renewal: Renewal): Promise<void> => {
    const { deviceToken: renewed = credentials.deviceToken, expiresAt = endsAt } = renewal;
    if (renewed === credentials.deviceToken && expiresAt === endsAt) return;
    credentials = { ...credentials, deviceToken: renewed };
    endsAt = expiresAt;
    const consent = consentColumns(expiresAt, call.now, deps.limits);
    const seal = (worker: PublicKey) => sealForWorker(credentials, ['credentials', job.connectionId], worker);
    await keepRenewed(deps, job, async (trx, worker, requireLease) => {
      await replaceCredentials(trx, job, seal(worker), consent);
      await requireLease();
    });
  };
  await keep(signedIn);
  return { connector, access: signedIn.access, call, keep };
};
