// Applications: what they are called and what their widget allows.
import type { components } from '../../../generated/dashboard.ts';
import { type Application, checkOrigin } from '../../applications/application.ts';
import { changeApplication, rotateIdentitySecret } from '../../applications/changeApplication.ts';
import { deriveIdentitySecret } from '../../applications/identityVerification.ts';
import { findApplicationsByOrganization, insertApplication } from '../../applications/store.ts';
import type { AuditAction } from '../../audit/store.ts';
import { recordAuditEvent } from '../../audit/store.ts';
import { OperatorError, ValidationError } from '../../errors.ts';
import { makeId } from '../../ids.ts';
import type { Operation } from './operation.ts';

const applicationToJson = (application: Application): components['schemas']['Application'] => ({
  id: application.id,
  organizationId: application.organizationId,
  name: application.name,
  environment: application.environment,
  origins: application.origins,
  nativeAllowed: application.nativeAllowedAt !== null,
  identity: {
    secretCreatedAt: application.identitySecretAt,
    required: application.identityRequiredAt !== null,
  },
  createdAt: application.createdAt,
});

export const listApplications: Operation<'listApplications'> = async ({ organizationId }, { db }) => ({
  applications: (await findApplicationsByOrganization(db.read, organizationId)).map(applicationToJson),
});

export const getApplication: Operation<'getApplication'> = async ({ application }) =>
  applicationToJson(application);

export const createApplication: Operation<'createApplication'> = async (
  { body, organizationId, actor },
  { db, clock },
) => {
  const now = clock.real();
  const { environment } = body;
  const name = body.name.trim();
  const application: Application = {
    id: makeId('app'),
    organizationId,
    name,
    environment,
    origins: readOrigins(body.origins ?? []),
    createdAt: now.toISOString(),
    nativeAllowedAt: null,
    identitySecretAt: null,
    identityRequiredAt: null,
  };
  await db.transaction(async (trx) => {
    await insertApplication(trx, application);
    const details = { name, environment, origins: application.origins.join(' ') };
    const subject = application.id;
    await recordAuditEvent(trx, {
      organizationId,
      now,
      action: 'application_created',
      actor,
      subject,
      details,
    });
  });
  return applicationToJson(application);
};

/** Origins in their one spelling. Throws BadInput that names the one that is none. */
const readOrigins = (origins: string[]): string[] => {
  const read = origins.map((origin, at) => {
    try {
      return checkOrigin(origin);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      const message = 'must look like https://shop.example, without a path';
      throw new ValidationError('invalid_request', [{ path: `/body/origins/${at}`, message }]);
    }
  });
  return [...new Set(read)];
};

export const updateApplication: Operation<'updateApplication'> = async (
  { body, application, organizationId, actor },
  { db, clock },
) => {
  const now = clock.real();
  const change = { ...body, ...(body.origins && { origins: readOrigins(body.origins) }) };
  return db.transaction(async (trx) => {
    const changed = await changeApplication(trx, application, { change, now });
    for (const [action, details] of auditChanges(application, changed)) {
      await recordAuditEvent(trx, { organizationId, now, action, actor, subject: application.id, details });
    }
    return applicationToJson(changed);
  });
};

/** One line of the log for each thing that is other than before. */
const auditChanges = (before: Application, after: Application): [AuditAction, Record<string, string>][] => {
  const deed = (action: AuditAction, read: (application: Application) => string) => {
    const details = { before: read(before), after: read(after) };
    return details.before === details.after ? [] : [[action, details] as [AuditAction, typeof details]];
  };
  const yesOrNo = (moment: string | null): string => (moment === null ? 'no' : 'yes');
  return [
    ...deed('application_renamed', ({ name }) => name),
    ...deed('origins_changed', ({ origins }) => origins.join(' ')),
    ...deed('native_use_changed', ({ nativeAllowedAt }) => yesOrNo(nativeAllowedAt)),
    ...deed('identity_requirement_changed', ({ identityRequiredAt }) => yesOrNo(identityRequiredAt)),
  ];
};

export const createIdentitySecret: Operation<'createIdentitySecret'> = async (
  { application, organizationId, actor },
  { db, clock, secrets },
) => {
  const now = clock.real();
  const changed = await db.transaction(async (trx) => {
    await recordAuditEvent(trx, {
      organizationId,
      now,
      action: 'identity_secret_created',
      actor,
      subject: application.id,
    });
    return rotateIdentitySecret(trx, application, now);
  });
  return { secret: deriveIdentitySecret(secrets.apiKeys, changed)! };
};
