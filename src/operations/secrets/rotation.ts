// Rotates a secret while the service runs. A new version is announced; when all processes have loaded it, it becomes the
// current one; when all use it, stored rows are re-encrypted or re-signed; then unused older versions are retired. The table of
// versions records the progress, so the next call continues a rotation interrupted at any point.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, DbTransaction } from '../../platform/db/open.ts';
import type { ProcessRow, ServiceSecretRow } from '../../platform/db/tables.ts';
import { type Limits, processExpiry } from '../../platform/settings/limits.ts';
import type { Clock } from '../../platform/values/clock.ts';
import { OperatorError } from '../../platform/values/errors.ts';
import { createNextFiles, fileNameOf, removeUnlistedFiles } from './files.ts';
import { publicKeyOf, type SecretName } from './names.ts';
import type { RenewCounts } from './renewRows.ts';
import type { Secrets } from './secrets.ts';
import * as store from './store.ts';

export type RotationDeps = {
  db: Database;
  clock: Clock;
  limits: Limits;
  directory: string;
  secrets: Pick<Secrets, 'reload'>;
  signal: AbortSignal;
  /** Reports the reason for waiting, each time it changes. */
  onWait(sentence: string): void;
  /** Runs in the transaction that makes the new version the current one. */
  recordChange(trx: DbTransaction): Promise<void>;
};

/** The remaining use of an old version: a number of keys and tokens or of applications, or page cursors until a time (ISO 8601). */
export type SecretUse =
  | { apiKeys: number; organizationTokens?: number }
  | { applications: number }
  | { until: string };

/** Everything that depends on a secret. */
export type SecretDependents = {
  /** Re-encrypts or re-signs stored rows; undefined if there are none. */
  renew(): Promise<RenewCounts | undefined>;
  /** The remaining use of a version that is no longer current; undefined if there is none. */
  findUse(trx: DbTransaction, version: ServiceSecretRow): Promise<SecretUse | undefined>;
};

export type Retired = {
  retired: string[];
  kept: { keyId: string; use: SecretUse }[];
  /** The names of the files that were removed here. */
  removedFiles: string[];
};

export type Rotated = Retired & { keyId: string; rows: RenewCounts | undefined };

/** The interval at which the list of processes is read while waiting. */
const waitPollMs = 200;

/** Rotates a secret, or continues its last rotation. Throws the signal's reason if aborted; the next call then continues. */
export const rotateSecret = async (
  deps: RotationDeps,
  name: SecretName,
  dependents: SecretDependents,
): Promise<Rotated> => {
  const version = await announceVersion(deps, name);
  if (version.state === 'announced') await makeCurrentWhenLoaded(deps, version);
  await waitUntilUsed(deps, version);
  const rows = await dependents.renew();
  // Gives processes that read a row just before its renewal time to open or verify it.
  if (rows?.renewed) await sleep(deps.limits.secretsPollMs, undefined, { signal: deps.signal });
  const retired = await retireVersions(deps, name, dependents, version.ordinal);
  return { keyId: version.keyId, rows, ...retired };
};

/** Retires unused old versions. Throws OperatorError if a rotation is unfinished. */
export const retireSecret = async (
  deps: RotationDeps,
  name: SecretName,
  dependents: SecretDependents,
): Promise<Retired> => {
  const versions = await store.findVersions(deps.db.read);
  if (versions.some((version) => version.name === name && isUnfinished(version))) {
    throw new OperatorError(
      `The rotation of ${name} is unfinished: run "secrets rotate ${name}" to continue it.`,
    );
  }
  return retireVersions(deps, name, dependents, 0);
};

const isUnfinished = ({ state }: ServiceSecretRow): boolean => state === 'announced' || state === 'replaced';

/** The version of an unfinished rotation, or else a new one. */
const announceVersion = (deps: RotationDeps, name: SecretName): Promise<ServiceSecretRow> =>
  withVersions(deps, name, async (trx, versions) => {
    const announced = versions.find(({ state }) => state === 'announced');
    if (announced && (await isAvailable(deps, trx, announced))) return announced;
    if (announced) await store.deleteVersion(trx, announced);
    const isReplacing = versions.some(({ state }) => state === 'replaced');
    if (isReplacing) return versions.find(({ state }) => state === 'current')!;
    // An interrupted call may have left files of a version that it had not announced.
    removeUnlistedFiles(deps.directory, name, versions);
    const at = deps.clock.real().toISOString();
    const ordinal = Math.max(...versions.map((version) => version.ordinal)) + 1;
    const ids = createNextFiles(deps.directory, name);
    const version: ServiceSecretRow = {
      name,
      ordinal,
      ...ids,
      state: 'announced',
      createdAt: at,
      changedAt: at,
    };
    await store.insertVersion(trx, version);
    return version;
  });

/** True if a process has the file of an announced version. Otherwise the file is replaced, since the version is still unused. */
const isAvailable = async (
  deps: RotationDeps,
  trx: DbTransaction,
  version: ServiceSecretRow,
): Promise<boolean> => {
  if (existsSync(join(deps.directory, fileNameOf(version)))) return true;
  const processes = await findLiveProcesses(deps, trx);
  return processes.some(({ loaded }) => loaded.has(version.keyId));
};

const makeCurrentWhenLoaded = (deps: RotationDeps, version: ServiceSecretRow): Promise<void> => {
  const name = version.name as SecretName;
  const file = fileNameOf(version);
  const publicFile = publicKeyOf[name] ? ` (without the worker's secrets: ${file}.pub)` : '';
  return waitUntil(deps, name, async (trx, processes, versions) => {
    // A process without any version does not use this secret.
    const needs = ({ loaded }: LiveProcess): boolean => versions.some(({ keyId }) => loaded.has(keyId));
    const missing = processes.filter((process) => needs(process) && !process.loaded.has(version.keyId));
    if (missing.length > 0) {
      return `Waiting for ${describe(missing)} to load ${file}. If their SECRETS_DIR is a different directory, copy the file there${publicFile}.`;
    }
    const changedAt = deps.clock.real().toISOString();
    const current = versions.find(({ state }) => state === 'current')!;
    // Another operator may have called this command at the same time.
    if (current.keyId === version.keyId) return undefined;
    await store.setVersionState(trx, current, { state: 'replaced', changedAt });
    await store.setVersionState(trx, version, { state: 'current', changedAt });
    await deps.recordChange(trx);
    return undefined;
  });
};

const waitUntilUsed = (deps: RotationDeps, { name, keyId }: ServiceSecretRow): Promise<void> =>
  waitUntil(deps, name as SecretName, async (_, processes, versions) => {
    const older = versions.filter((version) => version.keyId !== keyId);
    const behind = processes.filter(({ used }) => older.some((version) => used.has(version.keyId)));
    return behind.length > 0 ? `Waiting for ${describe(behind)} to use the new version.` : undefined;
  });

// Retires only replaced versions older than `renewedTo`: rows may still be sealed with a newer one.
const retireVersions = async (
  deps: RotationDeps,
  name: SecretName,
  { findUse }: SecretDependents,
  renewedTo: number,
): Promise<Retired> => {
  const result: Retired = { retired: [], kept: [], removedFiles: [] };
  await withVersions(deps, name, async (trx, versions) => {
    for (const version of versions) {
      const { state, keyId, ordinal } = version;
      if (state !== 'retiring' && !(state === 'replaced' && ordinal < renewedTo)) continue;
      const changedAt = state === 'retiring' ? version.changedAt : deps.clock.real().toISOString();
      const use = await findUse(trx, { ...version, changedAt });
      if (use) {
        await store.setVersionState(trx, version, { state: 'retiring', changedAt });
        result.kept.push({ keyId, use });
      } else {
        await store.deleteVersion(trx, version);
        result.retired.push(keyId);
      }
    }
  });
  await deps.secrets.reload();
  result.removedFiles = await withVersions(deps, name, async (_, versions) =>
    removeUnlistedFiles(deps.directory, name, versions),
  );
  return result;
};

/** A running process, with the ids of the versions that it has loaded and of those that it uses. */
type LiveProcess = Pick<ProcessRow, 'kind' | 'host'> & { loaded: Set<string>; used: Set<string> };

const findLiveProcesses = async (
  { clock, limits }: RotationDeps,
  trx: DbTransaction,
): Promise<LiveProcess[]> => {
  await store.deleteEndedProcesses(trx, processExpiry(clock.real(), limits));
  const rows = await store.findProcesses(trx);
  return rows.map(({ kind, host, loadedKeyIds, usedKeyIds }) => {
    return { kind, host, loaded: new Set(JSON.parse(loadedKeyIds)), used: new Set(JSON.parse(usedKeyIds)) };
  });
};

/** `serve on web-1, 2 × worker on jobs-1` */
const describe = (processes: readonly LiveProcess[]): string =>
  [...Map.groupBy(processes, ({ kind, host }) => `${kind} on ${host}`)]
    .map(([text, { length }]) => (length === 1 ? text : `${length} × ${text}`))
    .join(', ');

/** Repeats a step, which returns its reason for waiting, until there is none. */
const waitUntil = async (
  deps: RotationDeps,
  name: SecretName,
  step: (
    trx: DbTransaction,
    processes: LiveProcess[],
    versions: ServiceSecretRow[],
  ) => Promise<string | undefined>,
): Promise<void> => {
  let said: string | undefined;
  for (;;) {
    await deps.secrets.reload();
    const waitingFor = await withVersions(deps, name, async (trx, versions) =>
      step(trx, await findLiveProcesses(deps, trx), versions),
    );
    if (waitingFor === undefined) return;
    if (waitingFor !== said) deps.onWait(waitingFor);
    said = waitingFor;
    await sleep(waitPollMs, undefined, { signal: deps.signal });
  }
};

/** Runs a function with the versions of a secret, which are locked meanwhile. */
const withVersions = <Result>(
  { db }: RotationDeps,
  name: SecretName,
  run: (trx: DbTransaction, versions: ServiceSecretRow[]) => Promise<Result>,
): Promise<Result> =>
  db.transaction(async (trx) => {
    await store.lockSecrets(trx, db.dialect);
    return run(
      trx,
      (await store.findVersions(trx)).filter((version) => version.name === name),
    );
  });
