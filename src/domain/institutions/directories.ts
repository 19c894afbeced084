// Institutions from connectors' directories. The first worker to claim a directory fetches it and stores its list; every
// process reads changed lists. Lists are signed, because a `ref` decides where credentials are sent.
import { createHash } from 'node:crypto';
import type { Institution } from '../../../connectors/kit/contract.ts';
import { type Directory, findInstitutionProblem } from '../../../connectors/kit/defineConnector.ts';
import type { SendGuarded } from '../../../connectors/kit/guardedRequest.ts';
import { toPlainText } from '../../../connectors/kit/text.ts';
import type { Database } from '../../platform/db/open.ts';
import type { DirectoryRow } from '../../platform/db/tables.ts';
import { type Loop, startLoop } from '../../platform/loops/loop.ts';
import type { Limits } from '../../platform/settings/limits.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import { addMilliseconds, type Clock, seconds, toIsoDate } from '../../platform/values/clock.ts';
import { CorruptData } from '../../platform/values/errors.ts';
import type { PublicKey } from '../../platform/vault/keys.ts';
import type { Keyset } from '../../platform/vault/keyset.ts';
import {
  type SigningKeys,
  type Statement,
  signStatement,
  verifyStatement,
} from '../../platform/vault/sign.ts';
import { checkConnectors } from './checkConnectors.ts';
import * as store from './directoryStore.ts';
import { type ListedInstitution, mergeListing } from './listing.ts';
import { fetchLogos } from './logos.ts';
import type { NamedModule, OpenListing, Registry } from './registry.ts';

export type DirectoryDeps = {
  db: Database;
  clock: Clock;
  limits: Limits;
  log: Log;
  registry: Registry;
  connectors: readonly NamedModule[];
  signingPublicKeys: Keyset<PublicKey>;
  /** Sends requests to URLs from a directory. */
  send: SendGuarded;
  /** Updates the registry with each list that has changed since the last call. */
  read(): Promise<void>;
};

type FetchDeps = DirectoryDeps & { signingKeys: Keyset<SigningKeys> };

type SignedListing = Pick<DirectoryRow, 'connector'> & { institutions: string };

const statementOf = ({ connector, institutions }: SignedListing): Statement => [
  'directory v1',
  connector,
  createHash('sha256').update(institutions).digest('base64url'),
];

/** Re-signed when the `row-signing` secret is rotated. */
export const signed = {
  table: 'directories',
  key: ['connector'],
  column: 'signature',
  madeWith: ['institutions'],
  statementOf,
} as const;

/** Opens the list. It is empty before the first response, and if its signature is invalid. */
const verifyListing = (
  { connector, institutions, signature }: DirectoryRow,
  { log, signingPublicKeys }: Pick<DirectoryDeps, 'log' | 'signingPublicKeys'>,
): OpenListing => {
  if (institutions === null || signature === null) return () => [];
  try {
    verifyStatement(statementOf({ connector, institutions }), signature, signingPublicKeys);
    return () => JSON.parse(institutions);
  } catch (err) {
    if (!(err instanceof CorruptData)) throw err;
    log.error({ connector, err }, 'directory not read');
    return () => [];
  }
};

export const makeReadDirectories = (deps: Omit<DirectoryDeps, 'read'>): DirectoryDeps['read'] => {
  const versions = new Map<string, number>();
  return async () => {
    if (!deps.connectors.some(({ directory }) => directory)) return;
    for (const { connector, version } of await store.findDirectoryVersions(deps.db.read)) {
      if (versions.get(connector) === version) continue;
      const row = await store.findDirectory(deps.db.read, connector);
      deps.registry.setDirectory(connector, verifyListing(row!, deps));
      versions.set(connector, version);
    }
  };
};

/** Reads changed lists until stopped. */
export const startReadingDirectories = ({ limits, log, read }: DirectoryDeps): Loop =>
  startLoop(
    () => seconds(limits.directoryPollSeconds),
    () => read().catch((err) => log.warn({ err }, 'directories not read')),
  );

/** Fetches due directories until stopped. The first run, once the service is serving, also checks each connector. */
export const startAskingDirectories = (deps: DirectoryDeps, signingKeys: Keyset<SigningKeys>): Loop => {
  const { connectors, limits, log } = deps;
  let isFirst = true;
  return startLoop(
    () => seconds(isFirst ? limits.afterStartSeconds : limits.directoryPollSeconds),
    async (stop) => {
      const checked = isFirst ? checkConnectors(deps, stop) : undefined;
      isFirst = false;
      const fetches = connectors.map(async ({ name: connector, directory }) => {
        if (!directory) return;
        await fetchIfDue({ ...deps, signingKeys }, { connector, directory }, stop).catch((err) => {
          if (!stop.aborted) log.warn({ connector, err }, 'directory not fetched');
        });
      });
      await Promise.all([checked, ...fetches]);
    },
  );
};

const fetchIfDue = async (
  deps: FetchDeps,
  { connector, directory }: { connector: string; directory: Directory },
  stop: AbortSignal,
): Promise<void> => {
  const { db, clock, limits } = deps;
  const now = clock.real();
  const later = (minutes: number) => addMilliseconds(now, seconds(60 * minutes)).toISOString();
  const claim = { connector, dueAt: later(limits.directoryRetryMinutes) };
  if (!(await store.claimDirectory(db.write, claim, now.toISOString()))) return;
  const listed = keepValid(deps, connector, await directory({ signal: stop, now }));
  const row = (await store.findDirectory(db.write, connector))!;
  const listing = mergeListing(verifyListing(row, deps)(), listed, toIsoDate(now));
  const next = { connector, dueAt: later(60 * limits.directoryEveryHours) };
  const version = row.version + 1;
  await replaceListing(deps, claim, { ...next, version, listing });
  const hashes = await fetchLogos(deps, listing, stop);
  if (hashes.size === 0) return;
  const withLogos = listing.map((one) => ({ ...one, logoHash: one.logoHash ?? hashes.get(one.logoUrl) }));
  await replaceListing(deps, next, { ...next, version: version + 1, listing: withLogos });
};

const replaceListing = async (
  { db, signingKeys, read }: FetchDeps,
  claimed: store.Claim,
  { connector, dueAt, version, listing }: store.Claim & { version: number; listing: ListedInstitution[] },
): Promise<void> => {
  const institutions = JSON.stringify(listing);
  await signingKeys.withCurrent(({ key }) => {
    const signature = signStatement(statementOf({ connector, institutions }), key);
    return store.replaceListing(db.write, claimed, { institutions, signature, dueAt, version });
  });
  await read();
};

const loggedMax = 20;

/** Throws if no institution is valid. */
const keepValid = (
  { log, registry }: FetchDeps,
  connector: string,
  listed: readonly Institution[],
): Institution[] => {
  const ids = new Set<string>();
  const leftOut: string[] = [];
  const valid = listed.filter((institution) => {
    const owner = registry.ownerOf(institution?.id);
    const problem =
      findInstitutionProblem(institution) ??
      (ids.has(institution.id) ? 'an id listed twice' : undefined) ??
      (owner !== undefined && owner !== connector ? `an id of the connector ${owner}` : undefined);
    if (problem === undefined) ids.add(institution.id);
    else leftOut.push(`${toPlainText(String(institution?.id)).slice(0, 63)}: ${problem}`);
    return problem === undefined;
  });
  const shown = { connector, count: leftOut.length, leftOut: leftOut.slice(0, loggedMax) };
  if (leftOut.length > 0) log.warn(shown, 'institutions left out');
  if (valid.length === 0) throw new Error('The directory contains no institutions.');
  return valid;
};
