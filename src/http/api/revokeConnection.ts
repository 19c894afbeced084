import { revokeConnection as revoke } from '../../connections/revokeConnection.ts';
import type { Operation } from './operation.ts';

export const revokeConnection: Operation<'revokeConnection'> = async (
  { path, application, retention },
  { db, config },
) => {
  const eventsMax = config.limits.connectionEventsMax;
  await revoke(db, application.id, path.connectionId, retention, { actor: 'api', eventsMax });
};
