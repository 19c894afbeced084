// The sandbox tools of an organization: users, clock, and files of transactions.
import { sandboxPassword, sandboxUserCatalogue } from '../../../../connectors/sandbox/userCatalogue.ts';
import { recordAudit } from '../../../domain/audit/store.ts';
import { loadUpload } from '../../../domain/institutions/sandbox/loadFile.ts';
import { advanceSandboxClock as advance } from '../../../domain/institutions/sandbox/sandboxClock.ts';
import { findSandboxOffset } from '../../../domain/institutions/sandbox/store.ts';
import { addMilliseconds, seconds } from '../../../platform/values/clock.ts';
import type { DashboardNeeds } from '../needs.ts';
import { asValidationError } from './asValidationError.ts';
import type { Operation } from './authenticate.ts';

/** `db` is the writing connection if the response must contain rows that were just written. */
const sandboxToJson = async (
  { registry, clock }: DashboardNeeds,
  organizationId: string,
  db: DashboardNeeds['db']['read'],
) => {
  const offsetSeconds = await findSandboxOffset(db, organizationId);
  return {
    password: sandboxPassword,
    users: sandboxUserCatalogue(),
    institutions: registry.institutions('sandbox').map(({ id, name }) => ({ id, name })),
    clock: { now: addMilliseconds(clock.real(), seconds(offsetSeconds)).toISOString(), offsetSeconds },
  };
};

export const getSandbox: Operation<'getSandbox'> = async ({ organizationId }, service) =>
  sandboxToJson(service, organizationId, service.db.read);

export const advanceSandboxClock: Operation<'advanceSandboxClock'> = async (
  { body, organizationId, by },
  service,
) => {
  const { db } = service;
  const request = { organizationId, milliseconds: seconds(body.seconds), now: by.now };
  await asValidationError('/body/seconds', () => advance(db, request));
  const details = { seconds: String(body.seconds) };
  await recordAudit(db.write, by, { action: 'sandbox_clock_advanced', details });
  return sandboxToJson(service, organizationId, db.write);
};

export const loadSandboxFile: Operation<'loadSandboxFile'> = async (
  { query, cookies, organizationId, by },
  { db, secrets, config },
) => {
  const upload = {
    organizationId,
    bytes: cookies.upload,
    name: query.name,
    limits: config.limits,
    now: by.now,
  };
  const loaded = await asValidationError('/body', () => loadUpload(db, secrets.sandbox, upload));
  const details = { rows: String(loaded.rows), logins: String(loaded.logins) };
  await recordAudit(db.write, by, { action: 'sandbox_file_loaded', details });
  return loaded;
};
