// Link sessions as members see them: how far they came and what became of them, and none of what the user typed.
import { addMilliseconds, days } from '../../clock.ts';
import { institutionOf } from '../../institutions/registry.ts';
import { linkSessionStatistics } from '../../linking/linkSessionStatistics.ts';
import { listLinkSessions as list } from '../../linking/listLinkSessions.ts';
import type { Service } from '../../service.ts';
import type { ApplicationPrincipal } from './authenticate.ts';
import type { Operation } from './operation.ts';

// The id stands for the name of an institution that no connector has any more.
const findInstitution = (
  { registry }: Service,
  { environment }: ApplicationPrincipal['application'],
  institutionId: string,
) => institutionOf(registry, environment, { institutionId, institutionName: institutionId });

export const listLinkSessions: Operation<'listLinkSessions'> = async ({ application, query }, service) => {
  const { cursor, limit = 50, ...filter } = query;
  const now = service.clock.real().toISOString();
  const request = { applicationId: application.id, now, filter, cursor, limit };
  const { linkSessions, ...rest } = await list(service.db.read, request);
  return {
    linkSessions: linkSessions.map(({ reconnectConnectionId, institutionId, connectionId, ...session }) => ({
      ...session,
      reconnect: reconnectConnectionId !== null,
      institution: institutionId === null ? null : findInstitution(service, application, institutionId),
      connectionId: session.outcome === 'connected' ? connectionId : null,
    })),
    ...rest,
  };
};

export const getLinkSessionStatistics: Operation<'getLinkSessionStatistics'> = async (
  { application, query },
  service,
) => {
  const now = service.clock.real();
  const { institutions, ...statistics } = await linkSessionStatistics(service.db.read, {
    applicationId: application.id,
    from: addMilliseconds(now, -days(query.days ?? 7)).toISOString(),
    now: now.toISOString(),
  });
  return {
    ...statistics,
    institutions: institutions.map(({ institutionId, ...outcomes }) => ({
      institution: findInstitution(service, application, institutionId),
      ...outcomes,
    })),
  };
};
