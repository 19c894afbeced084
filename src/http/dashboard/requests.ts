// The log of requests with an API key: what was called when, with which result, and never with which values.
import { findListedApiKeys } from '../../applications/store.ts';
import { listRequests as list } from '../../metrics/listRequests.ts';
import type { Operation } from './operation.ts';

export const listRequests: Operation<'listRequests'> = async ({ application, query }, { db }) => {
  const { limit = 50, ...page } = query;
  const { requests, ...rest } = await list(db.read, application.id, { ...page, limit });
  const keys = await findListedApiKeys(db.read, application.id);
  const keysById = new Map(keys.map(({ id, name }) => [id, { id, name }]));
  return {
    requests: requests.map((request) => {
      const { requestId, at, operation, status, outcome, code, parameters, keyId, milliseconds } = request;
      return {
        ...{ requestId, at, operation, status, outcome, code, milliseconds },
        parameters: parameters === null ? [] : JSON.parse(parameters),
        apiKey: keysById.get(keyId) ?? null,
      };
    }),
    ...rest,
  };
};
