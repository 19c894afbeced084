// Sample link sessions of the last few days: most are connected, the others fail or are abandoned at different steps.

import type { LinkSessionRow } from '../../src/platform/db/tables.ts';
import { addMilliseconds, seconds } from '../../src/platform/values/clock.ts';
import { makeId } from '../../src/platform/values/ids.ts';
import type { Service } from '../../src/service.ts';

type SampleTarget = { applicationId: string; connectionId: string };
type Sample = Pick<LinkSessionRow, 'state' | 'reached'> &
  Partial<Pick<LinkSessionRow, 'failure' | 'institutionId' | 'connectionId' | 'reconnectConnectionId'>>;

export const insertSampleLinkSessions = async (
  { db }: Service,
  { applicationId, connectionId }: SampleTarget,
): Promise<void> => {
  const bank = { institutionId: 'sandbox-bank' };
  const union = { institutionId: 'sandbox-credit-union' };
  const connected = { state: 'ended', reached: 'finished', connectionId } as const;
  const samples: [number, Sample][] = [
    [52, { ...connected, ...bank }],
    [17, { ...connected, ...union }],
    [6, { ...connected, ...bank, reconnectConnectionId: connectionId }],
    [9, { state: 'failed', failure: 'cancelled', reached: 'consent' }],
    [7, { state: 'failed', failure: 'cancelled', reached: 'institution' }],
    [6, { ...bank, state: 'failed', failure: 'cancelled', reached: 'credentials' }],
    [5, { ...bank, state: 'failed', failure: 'wrong_credentials', reached: 'credentials' }],
    [3, { ...bank, state: 'failed', failure: 'denied', reached: 'challenge' }],
    [8, { ...union, state: 'failed', failure: 'institution_timeout', reached: 'importing' }],
    [2, { ...union, state: 'failed', failure: 'locked', reached: 'credentials' }],
    [3, { ...union, state: 'accounts', reached: 'accounts' }],
  ];
  const all = samples.flatMap(([count, sample]) => Array.from({ length: count }, () => sample));
  const rows = all.map((sample, at): LinkSessionRow => {
    // Spread over the list: 37 and the number of samples have no common divisor.
    const minutes = 90 + ((at * 37) % all.length) * 70;
    const createdAt = addMilliseconds(new Date(), -seconds(60 * minutes)).toISOString();
    return {
      ...{ id: makeId('lks'), applicationId, secretHash: '', origin: 'https://shop.example' },
      ...{ externalUserId: null, reconnectConnectionId: null, version: 1, lockedUntil: null },
      ...{ returnAddress: null, returnHash: null, returnSealed: null },
      ...{ stateSealed: null, importRequestSealed: null, connectionId: null, endUserId: null },
      ...{ progress: null, failure: null, rejections: 0, resultSealed: null, deliveredAt: null },
      ...{ createdAt, expiresAt: createdAt, institutionId: null, closedAt: new Date().toISOString() },
      ...sample,
    };
  });
  for (const row of rows) await db.write('link_sessions').insert(row);
};
