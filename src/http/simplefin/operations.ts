// The operations of openapi.yaml beside it, by operationId. The compiler reports a missing one.
import type { operations as Contract, components } from '../../../generated/simplefin.ts';
import { ValidationError } from '../../errors.ts';
import { domainOf, institutionOf } from '../../institutions/registry.ts';
import type { Service } from '../../service.ts';
import {
  accessState,
  claimAccess,
  createAccess,
  listAccesses,
  recordUse,
  revokeAccess,
} from '../../simplefin/accesses.ts';
import { readAccountSet } from '../../simplefin/accountSet.ts';
import type { ListedAccess } from '../../simplefin/store.ts';
import type { ApplicationPrincipal, ReaderPrincipal } from '../api/authenticate.ts';
import type { Handlers } from '../handler.ts';
import type { AccessPrincipal, ClaimPrincipal } from './authenticate.ts';

export type PrincipalByOperation = {
  getSimplefinInfo: Record<never, never>;
  claimSimplefinAccess: ClaimPrincipal;
  readSimplefinAccounts: AccessPrincipal;
  listSimplefinAccesses: ApplicationPrincipal;
  createSimplefinAccess: ReaderPrincipal;
  revokeSimplefinAccess: ApplicationPrincipal;
};

const accessToJson = (access: ListedAccess): components['schemas']['SimplefinAccess'] => {
  const { id, label, externalUserId, postedOnly, createdAt, lastUsedAt } = access;
  return {
    ...{ id, label },
    ...(externalUserId !== null && { externalUserId }),
    ...{ postedOnly: postedOnly === 1, state: accessState(access), createdAt },
    ...(lastUsedAt !== null && { lastUsedAt }),
  };
};

export const operations = {
  getSimplefinInfo: async () => ({ versions: ['1.0', '2.0'] }),

  claimSimplefinAccess: async ({ claim }, service) => claimAccess(service, claim),

  readSimplefinAccounts: async ({ opened, query }, service) => {
    const { db, clock, config, registry, yieldTurn } = service;
    const { application } = opened;
    const request = {
      startDate: query['start-date'],
      endDate: query['end-date'],
      pending: query.pending === '1',
      balancesOnly: query['balances-only'] === '1',
      accountIds: query.account,
    };
    const { simplefinDays, streamChunkRows } = config.limits;
    const set = await readAccountSet(db, opened, request, {
      serverUrl: `${config.baseUrl}/simplefin`,
      defaultDays: simplefinDays,
      now: clock.now(application),
      institutionOf: (connection) => ({
        ...institutionOf(registry, application.environment, connection),
        domain: domainOf(registry, application.environment, connection),
      }),
      chunkRows: streamChunkRows,
      yieldTurn,
    });
    await recordUse(service, opened);
    return set;
  },

  listSimplefinAccesses: async ({ application, query }, service) => {
    const { externalUserId, cursor, limit = 50 } = query;
    const filter = { applicationId: application.id, externalUserId };
    const { accesses, ...next } = await listAccesses(service, filter, { cursor, limit });
    return { accesses: accesses.map(accessToJson), ...next };
  },

  createSimplefinAccess: async ({ grant, body }, service) => {
    const { label, accountIds, allAccounts = false, postedOnly } = body;
    if (allAccounts === (accountIds !== undefined)) {
      const message = 'must name accounts, unless allAccounts is true; not both';
      throw new ValidationError('invalid_request', [{ path: '/body/accountIds', message }]);
    }
    const created = await createAccess(service, grant, { label, accountIds, postedOnly });
    const { access, setupToken, expiresAt } = created;
    return { access: accessToJson(access), setupToken, expiresAt };
  },

  revokeSimplefinAccess: async ({ application, path }, service) =>
    revokeAccess(service, application.id, path.accessId),
} satisfies Handlers<Contract, PrincipalByOperation, Service>;
