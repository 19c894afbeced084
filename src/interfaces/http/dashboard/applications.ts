// Applications: name, origins, widget settings, and API keys.
import type { Readable } from 'node:stream';
import { logoBytesMax, logoRule, parseLogo } from '../../../../connectors/kit/logo.ts';
import {
  createApiKey as createKey,
  revokeApiKey as revokeKey,
} from '../../../domain/applications/apiKeys.ts';
import {
  type Application,
  checkOrigin,
  checkReturnAddress,
  returnAddressRule,
} from '../../../domain/applications/application.ts';
import {
  archiveApplication as archive,
  changeApplication,
  changeLogo,
  createApplication as create,
  createIdentitySecret as createSecret,
  restoreApplication as restore,
  setRequestsPerMinute,
} from '../../../domain/applications/applications.ts';
import {
  findApplicationsByOrganization,
  findListedApiKeys,
  type ListedApiKey,
  lockApplication,
} from '../../../domain/applications/store.ts';
import { type AuditAction, type AuditEntry, recordAudit } from '../../../domain/audit/store.ts';
import { makeConsent } from '../../../flows/link/consent.ts';
import { OperatorError, ValidationError } from '../../../platform/values/errors.ts';
import type { Operation } from './authenticate.ts';
import { readExpiry } from './readExpiry.ts';
import { apiKeyToJson, applicationToJson, rateLimitToJson } from './toJson.ts';

export const listApplications: Operation<'listApplications'> = async ({ organizationId }, { db }) => ({
  applications: (await findApplicationsByOrganization(db.read, organizationId)).map(applicationToJson),
});

export const getApplication: Operation<'getApplication'> = async ({ application }) =>
  applicationToJson(application);

export const getConsentText: Operation<'getConsentText'> = async ({ application }, { linking }) => {
  const { hash: _, ...text } = await makeConsent(linking, application, 'en');
  return text;
};

export const createApplication: Operation<'createApplication'> = async ({ body, by }, { db }) =>
  applicationToJson(await create(db, { ...body, origins: readOrigins(body.origins ?? []) }, by));

/** The items in canonical form, without duplicates. Throws a ValidationError that names an invalid one. */
const readItems = (
  items: string[],
  { name, check, message }: { name: string; check: (item: string) => string; message: string },
): string[] => {
  const read = items.map((item, at) => {
    try {
      return check(item);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      throw new ValidationError('invalid_request', [{ path: `/body/${name}/${at}`, message }]);
    }
  });
  return [...new Set(read)];
};

const readOrigins = (origins: string[]): string[] =>
  readItems(origins, {
    ...{ name: 'origins', check: checkOrigin },
    message: 'must look like https://shop.example, without a path',
  });

const readReturnAddresses = (addresses: string[]): string[] =>
  readItems(addresses, { name: 'returnAddresses', check: checkReturnAddress, message: returnAddressRule });

export const updateApplication: Operation<'updateApplication'> = async (
  { body, application, by },
  { db },
) => {
  const { origins, returnAddresses } = body;
  const change = {
    ...body,
    ...(origins && { origins: readOrigins(origins) }),
    ...(returnAddresses && { returnAddresses: readReturnAddresses(returnAddresses) }),
  };
  return db.transaction(async (trx) => {
    const before = await lockApplication(trx, application.id);
    const changed = await changeApplication(trx, before, { change, now: by.now });
    for (const entry of auditEntries(before, changed)) await recordAudit(trx, by, entry);
    return applicationToJson(changed);
  });
};

/** One audit event for each property that has changed. */
const auditEntries = (before: Application, after: Application): AuditEntry[] => {
  const change = (action: AuditAction, read: (application: Application) => string): AuditEntry[] => {
    const details = { before: read(before), after: read(after) };
    return details.before === details.after ? [] : [{ action, subject: after.id, details }];
  };
  const yesOrNo = (moment: string | null): string => (moment === null ? 'no' : 'yes');
  return [
    ...change('application_renamed', ({ name }) => name),
    ...change('origins_changed', ({ origins }) => origins.join(' ')),
    ...change('native_use_changed', ({ nativeAllowedAt }) => yesOrNo(nativeAllowedAt)),
    ...change('return_addresses_changed', ({ returnAddresses }) => returnAddresses.join(' ')),
    ...change('application_color_changed', ({ color }) => color ?? ''),
    ...change('identity_requirement_changed', ({ identityRequiredAt }) => yesOrNo(identityRequiredAt)),
  ];
};

export const archiveApplication: Operation<'archiveApplication'> = async ({ application, by }, { db }) =>
  applicationToJson(await archive(db, application, by));

export const restoreApplication: Operation<'restoreApplication'> = async ({ application, by }, { db }) =>
  applicationToJson(await restore(db, application, by));

export const getRateLimit: Operation<'getRateLimit'> = async ({ application }, { config }) =>
  rateLimitToJson(application, config.limits);

export const setRateLimit: Operation<'setRateLimit'> = async (
  { body: { requestsPerMinute }, application: { id }, by },
  { db, config: { limits } },
) => rateLimitToJson(await setRequestsPerMinute(db, limits, { id, requestsPerMinute }, by), limits);

export const setApplicationLogo: Operation<'setApplicationLogo'> = async (
  { cookies, application, by },
  { db },
) => {
  const file = await readUpload(cookies.upload, logoBytesMax);
  const logo = file && parseLogo(file);
  if (!logo)
    throw new ValidationError('invalid_request', [{ path: '/body', message: `must be ${logoRule}` }]);
  return applicationToJson(await changeLogo(db, application, logo, by));
};

/** The bytes of an upload; undefined if there are more than `bytesMax`, which are not kept. */
const readUpload = async (upload: Readable, bytesMax: number): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of upload.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length <= bytesMax) chunks.push(chunk);
  }
  return length <= bytesMax ? Buffer.concat(chunks) : undefined;
};

export const removeApplicationLogo: Operation<'removeApplicationLogo'> = async (
  { application, by },
  { db },
) => applicationToJson(await changeLogo(db, application, undefined, by));

export const createIdentitySecret: Operation<'createIdentitySecret'> = async (
  { application, by },
  { db, secrets },
) => {
  const { secret } = await createSecret(db, secrets.identity, application, by);
  return { secret };
};

export const listApiKeys: Operation<'listApiKeys'> = async ({ application }, { db, clock }) => {
  const keys = await findListedApiKeys(db.read, application.id);
  return { apiKeys: keys.map((key) => apiKeyToJson(key, clock.real())) };
};

export const createApiKey: Operation<'createApiKey'> = async (
  { body, application, by },
  { db, apiKeySigner },
) => {
  const { now, actor } = by;
  const applicationId = application.id;
  const name = body.name.trim();
  const expiresAt = body.expiresAt === undefined ? undefined : readExpiry(body.expiresAt, now);
  const { keyId, apiKey } = await createKey(db, apiKeySigner, { applicationId, name, expiresAt }, by);
  const key: ListedApiKey = {
    id: keyId,
    applicationId,
    name,
    createdAt: now.toISOString(),
    createdBy: actor.email ?? actor.tokenId,
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: null,
    lastUsedAt: null,
  };
  return { apiKey: apiKeyToJson(key, now), secret: apiKey };
};

export const revokeApiKey: Operation<'revokeApiKey'> = async ({ path, application, by }, { db }) =>
  revokeKey(db, path.keyId, by, application.id);
