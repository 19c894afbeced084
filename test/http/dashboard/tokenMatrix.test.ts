// The authorization matrix of organization tokens, generated from the contract: every operation with each role, in the token's
// organization and another one, with exactly the scope that it needs and with all others. Operations without a rule fail.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findOperations, type OperationMeta, readContract } from '../../../src/interfaces/http/contract.ts';
import { oneDatabase } from '../../support/databases.ts';
import { link, startService, type TestService } from '../../support/testService.ts';
import { createEndpoint } from '../../webhooks/fixture.ts';
import { endpointUrl, requestBodies } from './requestBodies.ts';
import { addOrganization, createMember, createToken, memberIdOf, tokenScopes } from './users.ts';

const roles = ['viewer', 'developer', 'owner'] as const;
type Role = (typeof roles)[number];
type Scope = (typeof tokenScopes)[number];

/** The tags and the operations for people only. */
const ofPersons = {
  tags: ['Sign-in', 'Account', 'Organization tokens'],
  operations: [
    ...['setPasskeyRequirement', 'listMembers', 'changeMemberRole', 'removeMember', 'createResetLink'],
    ...['listInvitations', 'createInvitation', 'revokeInvitation'],
  ],
};

type Declared = { tags: string[]; description: string; security?: Record<string, string[]>[] };

const contract = readContract('management/openapi.yaml');
const declared = new Map(
  Object.values(contract.paths)
    .flatMap((item) => Object.values(item) as (Declared & { operationId?: string })[])
    .flatMap((operation) => (operation.operationId ? [[operation.operationId, operation] as const] : [])),
);

/** The rule in the contract: scope and role, or that the operation is for people only. Throws if there is none. */
const ruleOf = ({ operationId }: OperationMeta): { scope: Scope; role: Role } | 'person' => {
  const { tags, description, security = [] } = declared.get(operationId)!;
  const scopes = security.flatMap(({ OrganizationToken: names = [] }) => names);
  const isPersonal = tags.some((tag) => ofPersons.tags.includes(tag));
  if (isPersonal || ofPersons.operations.includes(operationId)) {
    expect(scopes, operationId).toEqual([]);
    return 'person';
  }
  const role = /^\w+/.exec(description)?.[0].toLowerCase() as Role;
  expect(roles, operationId).toContain(role);
  expect(scopes, operationId).toEqual([expect.toBeOneOf([...tokenScopes])]);
  expect(description).toContain(`scope \`${scopes[0]}\`.`);
  return { scope: scopes[0] as Scope, role };
};

type Request = { organization: 'own' | 'other'; role: Role; scopes: 'only' | 'all but' };

/** The response to a refused request; undefined if the request reaches the handler. */
const refusalOf = (rule: ReturnType<typeof ruleOf>, { organization, role, scopes }: Request) => {
  if (rule === 'person')
    return { status: 403, detail: 'Only a person who is signed in to the dashboard can do this.' };
  if (scopes === 'all but') return { status: 403, detail: `The token lacks the scope ${rule.scope}.` };
  if (organization === 'other')
    return { status: 404, detail: expect.stringMatching(/^The (application|organization) was not found\.$/) };
  if (roles.indexOf(role) < roles.indexOf(rule.role))
    return { status: 403, detail: `The token needs the role ${rule.role}.` };
  return undefined;
};

const operations = findOperations(contract);
/** Called last, because they delete rows that others need. */
const rank = ({ operationId }: OperationMeta): number =>
  ['deleteWebhookEndpoint', 'revokeConnection'].indexOf(operationId);
operations.sort((left, right) => rank(left) - rank(right));

test('the contract has a rule for every operation', () => {
  expect(operations.length).toBeGreaterThan(70);
  for (const operation of operations) ruleOf(operation);
});

describe.each(oneDatabase)('the matrix on $name', (database) => {
  let service: TestService;
  /** Tokens by organization, role and scopes: only this scope, or all others. */
  const tokens = new Map<string, string>();
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    service = await startService({
      database,
      limits: { dashboardRequestsPerMinute: 1e6 },
      env: { ALLOWED_NETWORKS: '127.0.0.0/8' },
    });
    const { organizationId } = service;
    const elsewhere = await addOrganization(service, 'Elsewhere');
    const { connectionId } = await link(service, { username: 'good' });
    await service.service.worker?.stop();
    const { endpointId } = await createEndpoint(service, endpointUrl);
    const applicationId = service.application.id;
    for (const id of [organizationId, elsewhere]) {
      const email = `owner-of-${id}@example.com`;
      const owner = await createMember(service, { role: 'owner', email, organizationId: id });
      const memberId = await memberIdOf(owner);
      if (id === organizationId)
        Object.assign(ids, { organizationId, applicationId, connectionId, endpointId, memberId });
      for (const role of roles)
        for (const scope of tokenScopes) {
          const others = tokenScopes.filter((one) => one !== scope);
          const key = `${id === organizationId ? 'own' : 'other'} ${role}`;
          const only = await createToken(owner, id, { role, scopes: [scope] });
          const allBut = await createToken(owner, id, { role, scopes: others });
          tokens.set(`${key} only ${scope}`, only.secret);
          tokens.set(`${key} all but ${scope}`, allBut.secret);
        }
    }
  });
  afterAll(() => service.close());

  const send = async ({ operationId, method, path, bodyType }: OperationMeta, token: string) => {
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'none');
    const queries: Record<string, string> = {
      loadSandboxFile: '?name=a.csv',
      search: '?text=user',
      getOverview: '?range=hour',
    };
    const isUpload = bodyType === 'application/octet-stream';
    const body = isUpload
      ? 'nothing,known\n'
      : bodyType && JSON.stringify(requestBodies[operationId as never]);
    const headers = { Authorization: `Bearer ${token}`, ...(bodyType && { 'Content-Type': bodyType }) };
    const url = `${service.url}${address}${queries[operationId] ?? ''}`;
    const response = await fetch(url, { method, headers, body });
    const text = await response.text();
    const isProblem = response.headers.get('Content-Type')?.startsWith('application/problem+json');
    return { status: response.status, detail: isProblem ? (JSON.parse(text).detail as string) : undefined };
  };

  test.each(operations.map((operation) => [operation.operationId, operation] as const))(
    '%s',
    async (_id, operation) => {
      const rule = ruleOf(operation);
      const scope = rule === 'person' ? 'read' : rule.scope;
      for (const organization of ['own', 'other'] as const)
        for (const role of roles)
          for (const scopes of ['all but', 'only'] as const) {
            const key = `${organization} ${role} ${scopes} ${scope}`;
            const { status, detail } = await send(operation, tokens.get(key)!);
            const refusal = refusalOf(rule, { organization, role, scopes });
            if (refusal) expect({ key, status, detail }).toEqual({ key, ...refusal });
            else {
              expect({ key, status }).toEqual({
                key,
                status: expect.toBeOneOf([200, 201, 204, 400, 404, 409]),
              });
              expect(detail ?? '', key).not.toMatch(/The (application|organization) was not found/);
            }
          }
    },
  );
});
