// SimpleFIN accesses as members see and revoke them, and nothing of what they read.
import type { components } from '../../../generated/dashboard.ts';
import { accessState, listAccesses, revokeAccess } from '../../simplefin/accesses.ts';
import type { ListedAccess } from '../../simplefin/store.ts';
import type { Operation } from './operation.ts';

const accessToJson = (access: ListedAccess): components['schemas']['SimplefinAccess'] => {
  const { id, label, externalUserId, postedOnly, createdAt, lastUsedAt } = access;
  return {
    ...{ id, label, externalUserId, postedOnly: postedOnly === 1 },
    ...{ state: accessState(access), createdAt, lastUsedAt },
  };
};

export const listSimplefinAccesses: Operation<'listSimplefinAccesses'> = async (
  { application, query },
  service,
) => {
  const { externalUserId, cursor, limit = 50 } = query;
  const filter = { applicationId: application.id, externalUserId };
  const { accesses, ...next } = await listAccesses(service, filter, { cursor, limit });
  return { accesses: accesses.map(accessToJson), ...next };
};

export const revokeSimplefinAccess: Operation<'revokeSimplefinAccess'> = async (
  { application, path, organizationId, actor },
  service,
) => revokeAccess(service, application.id, path.accessId, { organizationId, actor });
