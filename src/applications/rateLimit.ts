// How many requests an application may send. The operator sets a limit for all (API_REQUESTS_PER_MINUTE), and owners may set a
// lower one for an application.
import { type Actor, recordAuditEvent } from '../audit/store.ts';
import type { Database } from '../db/open.ts';
import { ValidationError } from '../errors.ts';
import type { Limits } from '../settings/limits.ts';
import type { Application } from './application.ts';
import { lockApplication, updateApplication } from './store.ts';

type OperatorLimit = Pick<Limits, 'apiRequestsPerMinute'>;

type Change = { application: Application; requestsPerMinute: number | null; now: Date; actor: Actor };

/**
 * Sets the limit of an application, or removes it with null, with the audit event. Throws ValidationError for one above that of the
 * operator.
 */
export const setRequestsPerMinute = async (
  db: Database,
  { apiRequestsPerMinute }: OperatorLimit,
  { application, requestsPerMinute, now, actor }: Change,
): Promise<Application> => {
  const { id, organizationId } = application;
  const textOf = (limit: number | null): string => (limit === null ? '' : String(limit));
  return db.transaction(async (trx) => {
    const locked = await lockApplication(trx, id);
    const before = locked.requestsPerMinute;
    if (requestsPerMinute === before) return locked;
    if (requestsPerMinute !== null && requestsPerMinute > apiRequestsPerMinute) {
      const message = `must be at most ${apiRequestsPerMinute}, which the operator allows`;
      throw new ValidationError('invalid_request', [{ path: '/body/requestsPerMinute', message }]);
    }
    await updateApplication(trx, id, { requestsPerMinute });
    await recordAuditEvent(trx, {
      ...{ organizationId, now, actor, subject: id },
      action: 'rate_limit_changed',
      details: { before: textOf(before), after: textOf(requestsPerMinute) },
    });
    return { ...locked, requestsPerMinute };
  });
};
