// The operations of openapi.yaml in this folder, by operationId (the compiler reports a missing one), and the authentication of
// their callers: applications by the token in a claim's address or by user name and password (RFC 7617), consumers' backends as
// in the public API.
import type { Request } from 'express';
import type { operations as Contract, components } from '../../../../generated/simplefin.ts';
import { domainOf, institutionOf } from '../../../domain/institutions/registry.ts';
import {
  claimSimplefinAccess,
  createSimplefinAccess,
  listSimplefinAccesses,
  type OpenClaim,
  type OpenedSimplefinAccess,
  openAccessUrl,
  openClaim,
  recordUse,
  revokeSimplefinAccess,
  simplefinAccessState,
} from '../../../flows/simplefin/accesses.ts';
import { readAccountSet } from '../../../flows/simplefin/accountSet.ts';
import type { ListedSimplefinAccess } from '../../../flows/simplefin/store.ts';
import { InvalidSimplefinAccess, ValidationError } from '../../../platform/values/errors.ts';
import {
  type ApplicationPrincipal,
  authenticateApplication,
  authenticateScopedToken,
  type ScopedTokenPrincipal,
} from '../api/authenticate.ts';
import type { AuthenticationRequest } from '../contractRouter.ts';
import type { Handlers } from '../handler.ts';
import type { ApiNeeds } from '../needs.ts';

export type PrincipalByOperation = {
  getSimplefinInfo: Record<never, never>;
  claimSimplefinAccess: ClaimPrincipal;
  readSimplefinAccounts: SimplefinAccessPrincipal;
  listSimplefinAccesses: ApplicationPrincipal;
  createSimplefinAccess: ScopedTokenPrincipal;
  revokeSimplefinAccess: ApplicationPrincipal;
};

const toJson = (row: ListedSimplefinAccess): components['schemas']['SimplefinAccess'] => {
  const { id, label, externalUserId, postedOnly, createdAt, lastUsedAt } = row;
  return {
    ...{ id, label },
    ...(externalUserId !== null && { externalUserId }),
    ...{ postedOnly: postedOnly === 1, state: simplefinAccessState(row), createdAt },
    ...(lastUsedAt !== null && { lastUsedAt }),
  };
};

export const operations = {
  getSimplefinInfo: async () => ({ versions: ['1.0', '2.0'] }),

  claimSimplefinAccess: async ({ claim }, service) => claimSimplefinAccess(service, claim),

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
    const { externalUserId, ...page } = query;
    const filter = { applicationId: application.id, externalUserId };
    const { rows, ...next } = await listSimplefinAccesses(service, filter, page);
    return { accesses: rows.map(toJson), ...next };
  },

  createSimplefinAccess: async ({ grant, body }, service) => {
    const { label, accountIds, allAccounts = false, postedOnly } = body;
    if (allAccounts === (accountIds !== undefined)) {
      const message = 'must name accounts, unless allAccounts is true; not both';
      throw new ValidationError('invalid_request', [{ path: '/body/accountIds', message }]);
    }
    const created = await createSimplefinAccess(service, grant, { label, accountIds, postedOnly });
    const { row, setupToken, expiresAt } = created;
    return { access: toJson(row), setupToken, expiresAt };
  },

  revokeSimplefinAccess: async ({ application, path }, service) =>
    revokeSimplefinAccess(service, application.id, path.accessId),
} satisfies Handlers<Contract, PrincipalByOperation, ApiNeeds>;

export type ClaimPrincipal = { claim: OpenClaim };
/** Identifies the application in the log. */
export type SimplefinAccessPrincipal = {
  opened: OpenedSimplefinAccess;
  application: OpenedSimplefinAccess['application'];
};
export type SimplefinPrincipal =
  | Record<never, never>
  | ClaimPrincipal
  | SimplefinAccessPrincipal
  | ApplicationPrincipal
  | ScopedTokenPrincipal;

/** Throws InvalidSimplefinAccess or Forbidden for applications, and like `authenticateApi` for backends. */
export const authenticateSimplefin = async (
  service: ApiNeeds,
  matched: AuthenticationRequest,
): Promise<SimplefinPrincipal> => {
  const { security } = matched.operation;
  if (security.includes('ScopedToken')) return authenticateScopedToken(service, matched);
  if (security.includes('ApiKey')) return authenticateApplication(service, matched);
  if (security.includes('Access')) {
    const opened = await openAccessUrl(service, readBasicCredentials(matched.request));
    await matched.slot.take(opened.application.id);
    return { opened, application: opened.application };
  }
  const { claimToken } = matched.path;
  return claimToken === undefined ? {} : { claim: await openClaim(service, claimToken) };
};

const readBasicCredentials = (request: Request): { user: string; password: string } => {
  const [, encoded = ''] = /^Basic +(\S+)$/i.exec(request.get('Authorization') ?? '') ?? [];
  const [user = '', ...password] = Buffer.from(encoded, 'base64').toString().split(':');
  if (user === '') throw new InvalidSimplefinAccess();
  return { user, password: password.join(':') };
};
