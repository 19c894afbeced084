// Fetches a directory's logos, so that end users' browsers do not request them from other servers.
import type { SendGuarded } from '../../../connectors/kit/guardedRequest.ts';
import { type Logo, logoBytesMax, parseLogo } from '../../../connectors/kit/logo.ts';
import type { Database } from '../../platform/db/open.ts';
import type { Limits } from '../../platform/settings/limits.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import { seconds } from '../../platform/values/clock.ts';
import { putInstitutionLogo } from './directoryStore.ts';
import type { ListedInstitution } from './listing.ts';

type LogoDeps = { db: Database; limits: Limits; log: Log; send: SendGuarded };

/** Stores the unknown logos of a list and returns their hashes by URL. Logos that failed are absent. */
export const fetchLogos = async (
  deps: LogoDeps,
  listing: readonly ListedInstitution[],
  stop: AbortSignal,
): Promise<Map<string | undefined, string>> => {
  const { db, limits, log } = deps;
  const unknown = listing.filter(({ logoHash, missingSince }) => !logoHash && !missingSince);
  const urls = new Set(unknown.flatMap(({ logoUrl }) => logoUrl ?? []));
  const queue = [...urls].slice(0, limits.institutionLogosMax).values();
  const hashes = new Map<string | undefined, string>();
  const fetchQueued = async (): Promise<void> => {
    for (const url of queue) {
      const logo = await fetchLogo(deps, url, stop);
      if (!logo) continue;
      await putInstitutionLogo(db.write, logo.hash, logo.bytes);
      hashes.set(url, logo.hash);
    }
  };
  await Promise.all(Array.from({ length: limits.institutionLogosAtOnce }, fetchQueued));
  if (hashes.size < urls.size) log.warn({ count: urls.size - hashes.size }, 'logos not fetched');
  return hashes;
};

const fetchLogo = async (
  { limits, send }: LogoDeps,
  url: string,
  signal: AbortSignal,
): Promise<Logo | undefined> => {
  const response = await send({
    ...{ method: 'GET', url: new URL(url), headers: { Accept: 'image/png, image/jpeg, image/webp' } },
    ...{ bodyBytesMax: logoBytesMax, timeoutMs: seconds(limits.institutionLogoSeconds), signal },
  });
  return 'body' in response && response.status === 200 && response.body
    ? parseLogo(response.body)
    : undefined;
};
