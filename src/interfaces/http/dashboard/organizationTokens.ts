// Organization tokens: created, listed and revoked by owners who are signed in.
import type { components } from '../../../../generated/management.ts';
import {
  findOrganizationTokens,
  type OrganizationToken,
} from '../../../domain/members/organizationTokenStore.ts';
import {
  createOrganizationToken as create,
  revokeOrganizationToken as revoke,
  type TokenScope,
} from '../../../domain/members/organizationTokens.ts';
import type { Operation } from './authenticate.ts';
import { readExpiry } from './readExpiry.ts';
import { stateOfKey } from './toJson.ts';

const lifetimeDaysMax = 366;

const tokenToJson = (token: OrganizationToken, now: Date): components['schemas']['OrganizationToken'] => {
  const { id, name, role, createdAt, createdBy, expiresAt, revokedAt, lastUsedAt } = token;
  const scopes = token.scopes.split(' ') as TokenScope[];
  return {
    ...{ id, name, role, scopes, state: stateOfKey(token, now) },
    ...{ createdAt, createdBy, expiresAt, revokedAt, lastUsedAt },
  };
};

export const listOrganizationTokens: Operation<'listOrganizationTokens'> = async (
  { organizationId, by },
  { db },
) => {
  const tokens = await findOrganizationTokens(db.read, organizationId);
  return { tokens: tokens.map((token) => tokenToJson(token, by.now)) };
};

export const createOrganizationToken: Operation<'createOrganizationToken'> = async (
  { body, by },
  { db, apiKeySigner },
) => {
  const expiresAt = readExpiry(body.expiresAt, by.now, lifetimeDaysMax);
  const deps = { db, keys: apiKeySigner.tokenKeys };
  const { token, secret } = await create(deps, { ...body, name: body.name.trim(), expiresAt }, by);
  return { token: tokenToJson(token, by.now), secret };
};

export const revokeOrganizationToken: Operation<'revokeOrganizationToken'> = async ({ path, by }, { db }) =>
  revoke({ db }, path.tokenId, by);
