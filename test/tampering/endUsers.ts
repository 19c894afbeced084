// The end users of the fixture: their connections, and their unfinished link sessions.
import { expect } from 'vitest';
import { BankRefused } from '../../src/platform/values/errors.ts';
import { parseScopedToken } from '../../src/platform/vault/scopedToken.ts';
import { eventually, requestWidgetApi } from '../linking/fixture.ts';
import { claimAccessUrl, createSetupToken } from '../simplefin/fixture.ts';
import { northBank, southBank } from '../support/scriptedConnector.ts';
import {
  driveToEnd,
  driveToImport,
  type LinkOptions,
  link,
  openLinkSession,
  shareAgain,
  type TestApplication,
  type TestLinkSession,
  type TestService,
} from '../support/testService.ts';
import { type Banks, loginAt } from './banks.ts';
import { limits, type Session, type User } from './fixtureTypes.ts';
import { accepted, type Tenant } from './tenants.ts';

const linkOptionsOf = (user: Pick<User, 'name' | 'application'>, institutionId: string): LinkOptions => ({
  ...{ institutionId, username: loginAt(user.name, institutionId), applicationId: user.application.id },
  externalUserId: `external-${user.name}`,
});

const toUser = async (
  service: TestService,
  { name, tenant, application }: { name: string; tenant: Tenant; application: TestApplication },
  linked: Awaited<ReturnType<typeof link>>[],
): Promise<User> => {
  const scopedToken = linked[0]!.scopedToken!;
  const { endUserId, secret } = parseScopedToken(scopedToken)!;
  const connections = linked.map(({ connectionId: id, accounts }) => ({
    id,
    accountIds: accounts.map((account) => account.id),
  }));
  const reader = { url: service.url, apiKey: application.apiKey, scopedToken };
  const accessUrl = await claimAccessUrl(await createSetupToken(reader));
  await createSetupToken(reader);
  return {
    ...{ name, organization: tenant.name, application, endUserId, scopedToken, accessUrl },
    ...{ secret, connections },
  };
};

/** Three connections, two of which stay active. */
export const linkUser = async (service: TestService, name: string, tenant: Tenant): Promise<User> => {
  const application = tenant.production;
  const linked = [];
  for (const bank of [northBank, southBank, northBank]) {
    linked.push(await link(service, linkOptionsOf({ name, application }, bank)));
  }
  return toUser(service, { name, tenant, application }, linked);
};

export const linkSandboxUser = async (service: TestService, name: string, tenant: Tenant): Promise<User> => {
  const header = 'login,account,date,transaction,amount,balance,description,reference\n';
  const rows = [1, 2].map(
    (at) => `${name},1,2024-01-0${at},t${at},-1.00,9.00,loaded ${at} of ${name},of ${name}\n`,
  );
  const path = `/management/organizations/${tenant.id}/sandbox/files?name=${name}.csv`;
  const headers = { 'Content-Type': 'application/octet-stream' };
  const body = header + rows.join('');
  const response = await tenant.owner.user.fetch(path, { method: 'POST', headers, body });
  expect(response.status).toBe(200);
  const application = tenant.sandbox;
  const options = { username: name, applicationId: application.id };
  const linked = await link(service, options);
  // The sandbox counts wrong passwords.
  const wrong = { username: 'good', password: 'wrong', applicationId: application.id };
  await driveToImport(await openLinkSession(service, wrong), wrong);
  return toUser(service, { name, tenant, application }, [linked]);
};

export const revokeOne = async (
  service: TestService,
  { scopedToken, application, connections }: User,
): Promise<void> => {
  const params = { path: { connectionId: connections[2]!.id } };
  const client = service.client(scopedToken, application.apiKey);
  await accepted(client.DELETE('/connections/{connectionId}', { params }));
};

/** Makes the bank refuse a refresh that the owner requests. */
export const failOne = async (
  service: TestService,
  banks: Banks,
  user: User,
  tenant: Tenant,
): Promise<void> => {
  const path = { applicationId: user.application.id, connectionId: user.connections[2]!.id };
  banks.each[northBank]!.fail(loginAt(user.name, northBank), 'signIn', new BankRefused('wrong_credentials'));
  const operation = '/management/applications/{applicationId}/connections/{connectionId}/refresh';
  await accepted(tenant.owner.user.client.POST(operation, { params: { path } }));
  await eventually(async () => {
    const refused = await service.service.db.read('connections').whereNotNull('reconnectReason');
    expect(refused).toHaveLength(1);
  });
};

export const reconnect = async (service: TestService, user: User): Promise<void> => {
  const options = { ...linkOptionsOf(user, southBank), connectionId: user.connections[1]!.id };
  await link(service, options);
};

export const readEverything = async (service: TestService, users: User[]): Promise<void> => {
  for (const { scopedToken, application, connections } of users) {
    const client = service.client(scopedToken, application.apiKey);
    for (const { id: connectionId, accountIds } of connections) {
      const path = { connectionId };
      await accepted(client.GET('/connections/{connectionId}/accounts', { params: { path } }));
      for (const accountId of accountIds) {
        const params = { path: { accountId } };
        await accepted(client.GET('/accounts/{accountId}/transactions', { params }));
      }
    }
  }
};

/** Sends enough requests for each application that their count is shared between processes, and one that is refused. */
export const countRequests = async (service: TestService, users: User[]): Promise<void> => {
  for (const { scopedToken, application, connections } of users) {
    const client = service.client(scopedToken, application.apiKey);
    for (let count = 0; count < limits.apiRequestsPerMinute / 100; count++) await client.GET('/connections');
    const path = { accountId: connections[0]!.accountIds[0]! };
    await client.GET('/accounts/{accountId}/transactions', { params: { path, query: { limit: 0 } } });
  }
  await service.service.rateLimiter.flush();
};

/** One session in each state in which a session waits. Stopping the service stops the running imports. */
export const openSessions = async (
  service: TestService,
  banks: Banks,
  of: { adelheid: User; benedikt: User; cleopatra: User; globex: Tenant },
): Promise<Session[]> => {
  const { adelheid, benedikt, cleopatra, globex } = of;
  const sessions: Session[] = [];
  const open = async (name: string, user: string, options: LinkOptions): Promise<TestLinkSession> => {
    const session = await openLinkSession(service, options);
    sessions.push({ name, user, id: session.id, secret: session.secret, options });
    return session;
  };
  const reconnecting = { ...linkOptionsOf(adelheid, northBank), connectionId: adelheid.connections[0]!.id };
  await open('reconnect', adelheid.name, reconnecting);
  await open('first step', cleopatra.name, linkOptionsOf(cleopatra, southBank));
  const selecting = linkOptionsOf(adelheid, southBank);
  const selection = await open('account selection', adelheid.name, selecting);
  await driveToImport(selection, { ...selecting, accounts: [] }).catch(() => {});
  await selection.refresh();
  expect(selection.view.state).toBe('accounts');
  const cancelled = await openLinkSession(service, linkOptionsOf(adelheid, southBank));
  await requestWidgetApi(service, `/${cancelled.id}`, { method: 'DELETE', secret: cancelled.secret });
  const newcomer = { name: 'dorothea', application: globex.production };
  const undelivered = linkOptionsOf(newcomer, northBank);
  await driveToEnd(await open('undelivered result', newcomer.name, undelivered), undelivered);
  const running = [
    ['import', benedikt, linkOptionsOf(benedikt, southBank)],
    [
      'running reconnect',
      cleopatra,
      { ...linkOptionsOf(cleopatra, northBank), connectionId: cleopatra.connections[0]!.id },
    ],
  ] as const;
  for (const [name, user, options] of running) {
    const bank = banks.each[options.institutionId!]!;
    const username = options.username!;
    banks.holdChunks(options.institutionId!, username);
    const { chunk } = bank.callsOf(username);
    const session = await open(name, user.name, options);
    await (name === 'import' ? shareAgain : driveToImport)(session, options);
    await eventually(() => expect(bank.callsOf(username).chunk).toBeGreaterThan(chunk));
  }
  return sessions;
};
