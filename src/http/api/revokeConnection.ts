import { revokeConnection as revoke } from '../../connections/revoke.ts';
import type { Operation } from './operation.ts';

export const revokeConnection: Operation<'revokeConnection'> = async (
  { path, application, lifetime },
  { db },
) => {
  await revoke(db, application.id, path.connectionId, lifetime);
};
