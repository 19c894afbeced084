// The operations of openapi.yaml beside it, by operationId (the compiler reports a missing one), and who may call them: applications by the
// token in a claim's address or by user name and password (RFC 7617), consumers' backends as in the public API.
import type { Request } from 'express';
import type { operations as Contract, components } from '../../../../generated/simplefin.ts';
import { domainOf, institutionOf } from '../../../domain/institutions/registry.ts';
import {
  accessState,
  claimAccess,
  createAccess,
  listAccesses,
  type OpenClaim,
  type OpenedAccess,
  openAccessUrl,
  openClaim,
  recordUse,
  revokeAccess,
} from '../../../flows/simplefin/accesses.ts';
import { readAccountSet } from '../../../flows/simplefin/accountSet.ts';
import type { ListedAccess } from '../../../flows/simplefin/store.ts';
import { InvalidAccess, ValidationError } from '../../../platform/values/errors.ts';
import {
  type ApplicationPrincipal,
  authenticateApplication,
  authenticateReader,
  type ReaderPrincipal,
} from '../api/authenticate.ts';
import type { AuthenticationRequest } from '../contractRouter.ts';
import type { Handlers } from '../handler.ts';
import type { ApiNeeds } from '../needs.ts';

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
    const { externalUserId, ...page } = query;
    const filter = { applicationId: application.id, externalUserId };
    const { rows, ...next } = await listAccesses(service, filter, page);
    return { accesses: rows.map(accessToJson), ...next };
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
} satisfies Handlers<Contract, PrincipalByOperation, ApiNeeds>;

export type ClaimPrincipal = { claim: OpenClaim };
/** The application is what the log names. */
export type AccessPrincipal = { opened: OpenedAccess; application: OpenedAccess['application'] };
export type SimplefinPrincipal =
  | Record<never, never>
  | ClaimPrincipal
  | AccessPrincipal
  | ApplicationPrincipal
  | ReaderPrincipal;

/** Throws InvalidAccess or Forbidden for applications; for backends as `authenticateApi`. */
export const authenticateSimplefin = async (
  service: ApiNeeds,
  matched: AuthenticationRequest,
): Promise<SimplefinPrincipal> => {
  const { security } = matched.operation;
  if (security.includes('ScopedToken')) return authenticateReader(service, matched);
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
  if (user === '') throw new InvalidAccess();
  return { user, password: password.join(':') };
};
