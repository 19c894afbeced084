// The dashboard's search: a few applications, connections, API keys and requests of an organization.
import type { components } from '../../../../generated/management.ts';
import type { Application } from '../../../domain/applications/application.ts';
import {
  findApplicationsByOrganization,
  findListedApiKeys,
  type ListedApiKey,
} from '../../../domain/applications/store.ts';
import { searchConnections } from '../../../domain/connections/listConnections.ts';
import { findRequestsByPrefix } from '../../../domain/requestLog/store.ts';
import type { DashboardNeeds } from '../needs.ts';
import { type Operation, retentionOf } from './authenticate.ts';
import { apiKeyToJson, applicationToJson, connectionToJson } from './toJson.ts';

type Results = components['schemas']['SearchResults'];

const limit = 5;

export const search: Operation<'search'> = async ({ organizationId, query }, service) => {
  const { db } = service;
  const text = query.text.trim();
  if (text === '') return { applications: [], connections: [], apiKeys: [], requests: [] };
  const applications = await findApplicationsByOrganization(db.read, organizationId);
  return {
    applications: applications
      .filter((one) => isNamed(one, text))
      .slice(0, limit)
      .map(applicationToJson),
    connections: await findConnections(service, applications, text),
    apiKeys: await findApiKeys(service, applications, text),
    requests: await findRequests(service, applications, text),
  };
};

const isNamed = ({ id, name }: { id: string; name: string }, text: string): boolean =>
  id === text || name.toLowerCase().includes(text.toLowerCase());

const findConnections = async (
  service: DashboardNeeds,
  applications: readonly Application[],
  text: string,
): Promise<Results['connections']> => {
  const contexts = applications.map((application) => retentionOf(service, application));
  const found = await searchConnections(service.db.read, { text, applications: contexts, limit });
  return found.map((connection) => {
    const { id: applicationId, environment } = applications.find(
      ({ id }) => id === connection.applicationId,
    )!;
    return { applicationId, connection: connectionToJson(service, { environment }, connection) };
  });
};

const findApiKeys = async (
  { db, clock }: DashboardNeeds,
  applications: readonly Application[],
  text: string,
): Promise<Results['apiKeys']> => {
  const found: ListedApiKey[] = [];
  for (const { id } of applications) {
    if (found.length >= limit) break;
    found.push(...(await findListedApiKeys(db.read, id)).filter((key) => isNamed(key, text)));
  }
  return found.slice(0, limit).map((key) => ({
    applicationId: key.applicationId,
    apiKey: apiKeyToJson(key, clock.real()),
  }));
};

const findRequests = async (
  { db }: DashboardNeeds,
  applications: readonly Application[],
  text: string,
): Promise<Results['requests']> => {
  const found: Results['requests'] = [];
  if (!/^[0-9a-f]{8,32}$/.test(text)) return found;
  for (const { id: applicationId } of applications) {
    const rest = limit - found.length;
    if (rest === 0) break;
    const rows = await findRequestsByPrefix(db.read, applicationId, text, rest);
    found.push(
      ...rows.map(({ requestId, at, operation, status }) => ({
        ...{ applicationId, requestId, at, operation, status },
      })),
    );
  }
  return found;
};
