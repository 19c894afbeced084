// Provokes errors with requests that contain canaries in every position, and collects the responses.
import { northBank } from '../support/scriptedConnector.ts';
import { driveToEnd, hostOrigin, openLinkSession } from '../support/testService.ts';
import type { CanaryFixture } from './fixture.ts';

/** Reads all data of the two users, so that their data keys are wrapped. */
export const readAllData = async ({ service, shop, linked }: CanaryFixture): Promise<void> => {
  const readers = [
    { linked: linked.sandbox, client: service.client(linked.sandbox.scopedToken) },
    { linked: linked.production, client: service.client(linked.production.scopedToken, shop.apiKey) },
  ];
  for (const { linked: user, client } of readers) {
    const path = { accountId: user.accounts[0]!.id, connectionId: user.connectionId };
    await client.GET('/connections');
    await client.GET('/connections/{connectionId}/accounts', { params: { path } });
    await client.GET('/accounts/{accountId}', { params: { path } });
    await client.GET('/accounts/{accountId}/transactions', { params: { path } });
  }
};

type ErrorCollector = { send(path: string, init?: RequestInit): Promise<void>; bodies: string[] };

const makeErrorCollector = (url: string): ErrorCollector => {
  const bodies: string[] = [];
  const send = async (path: string, init?: RequestInit): Promise<void> => {
    const response = await fetch(url + path, init);
    const text = await response.text();
    if (response.status < 400) throw new Error(`${path} was not refused: ${response.status}.`);
    bodies.push(text);
  };
  return { send, bodies };
};

/** A user whose texts are sent in wrong places. */
type SendingUser = Pick<CanaryFixture, 'shop'> & { linked: Pick<CanaryFixture['linked'], 'production'> };

/** Sends each text to every part of a request of the public API, of SimpleFIN and of the widget's API; returns all response bodies. */
export const provokeRefusals = async (
  url: string,
  user: SendingUser,
  texts: readonly string[],
): Promise<string[]> => {
  const { send, bodies } = makeErrorCollector(url);
  for (const text of texts) {
    await provokeApiErrors(user, send, text);
    await provokeSimplefinErrors(user, send, text);
    await provokeWidgetErrors(user, send, text);
  }
  return bodies;
};

/** Provokes errors in the public API, the widget's API, the connector and the database; returns all response bodies. */
export const provokeErrors = async (fixture: CanaryFixture): Promise<string[]> => {
  const { send, bodies } = makeErrorCollector(fixture.service.url);
  const texts = fixture.canaries.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  const refusals = await provokeRefusals(fixture.service.url, fixture, texts);
  await provokeConnectorErrors(fixture, texts);
  await provokeDatabaseErrors(fixture, send, texts[0]!);
  return [...refusals, ...bodies];
};

const provokeApiErrors = async (
  fixture: SendingUser,
  send: ErrorCollector['send'],
  text: string,
): Promise<void> => {
  const { shop, linked } = fixture;
  const good = { Authorization: `Bearer ${shop.apiKey}`, 'X-Scoped-Token': linked.production.scopedToken! };
  const list = `/accounts/${linked.production.accounts[0]!.id}/transactions`;
  const value = encodeURIComponent(text);
  await send(`/connections/${value}`, { headers: good });
  await send(`/accounts/${value}/transactions`, { headers: good });
  for (const query of [
    `cursor=${value}`,
    `refreshedSince=${value}`,
    `date[gte]=${value}`,
    `limit=x${value}`,
  ]) {
    await send(`${list}?${query}`, { headers: good });
  }
  await send(`/connections/${value}`, { method: 'POST', headers: good, body: text });
  const asHeader = value.slice(0, 2000);
  await send('/connections', { headers: { ...good, Authorization: `Bearer ${asHeader}x` } });
  await send('/connections', { headers: { ...good, 'X-Scoped-Token': `${asHeader}x` } });
};

const provokeSimplefinErrors = async (
  { shop, linked }: SendingUser,
  send: ErrorCollector['send'],
  text: string,
): Promise<void> => {
  const value = encodeURIComponent(text);
  const basic = Buffer.from(`${text}:${text}`).toString('base64');
  const headers = {
    Authorization: `Bearer ${shop.apiKey}`,
    'X-Scoped-Token': linked.production.scopedToken!,
  };
  const body = JSON.stringify({ label: text, accountIds: [text] });
  await send(`/simplefin/claim/${value}x`, { method: 'POST' });
  await send(`/simplefin/accounts?start-date=${value}`, { headers: { Authorization: `Basic ${basic}` } });
  await send(`/simplefin/accesses/${value}`, { method: 'DELETE', headers });
  await send(`/simplefin/accesses?cursor=${value}`, { headers });
  await send('/simplefin/accesses', {
    ...{ method: 'POST', body },
    headers: { ...headers, 'Content-Type': 'application/json' },
  });
};

const provokeWidgetErrors = async (
  fixture: SendingUser,
  send: ErrorCollector['send'],
  text: string,
): Promise<void> => {
  const { shop, linked } = fixture;
  const { session } = linked.production;
  const sessions = '/connect/api/link-sessions';
  const post = (path: string, body: unknown, secret = session.secret) =>
    send(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${secret}` },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  await post(sessions, { applicationId: text, origin: hostOrigin });
  await post(sessions, { applicationId: shop.id, origin: text });
  await post(sessions, { applicationId: shop.id, origin: hostOrigin, connectionId: text });
  await post(sessions, { applicationId: shop.id, origin: hostOrigin, language: `${text}${'x'.repeat(40)}` });
  await post(sessions, `{"applicationId": "${shop.id}", "origin": ${JSON.stringify(text)}`);
  const steps = `${sessions}/${session.id}/steps`;
  for (const values of [{ username: text, password: [text] }, { username: `${text}${'x'.repeat(1001)}` }]) {
    await post(steps, { version: 1, step: { kind: 'credentials', values } });
  }
  await post(steps, { version: text, step: { kind: text } });
  await post(steps, { version: 1, step: { kind: 'answer', answer: text } }, encodeURIComponent(text));
  await send(`${sessions}/${encodeURIComponent(text)}`, {
    headers: { Authorization: `Bearer ${session.secret}` },
  });
};

/** Makes the connector throw errors whose messages contain the canaries. */
const provokeConnectorErrors = async (
  { service, shop, connector }: CanaryFixture,
  texts: string[],
): Promise<void> => {
  const message = `The bank said: ${texts.join(', ')}\n    at ${texts[0]} (file:///bank.js:1:2)`;
  const options = { username: 'quiet', institutionId: northBank, applicationId: shop.id };
  connector.setAccounts('quiet', []);
  for (const method of ['signIn', 'accounts'] as const) {
    connector.fail(
      options.username,
      method,
      Object.assign(new Error(message, { cause: new Error(message) }), { code: message, reason: message }),
    );
    const session = await openLinkSession(service, options);
    await driveToEnd(session, options);
    if (session.view.state !== 'failed') throw new Error('The connector should have failed.');
  }
};

/** Renames a table, so that the database driver itself throws errors. */
const provokeDatabaseErrors = async (
  { service, shop }: CanaryFixture,
  send: ErrorCollector['send'],
  text: string,
): Promise<void> => {
  const rename = (from: string, to: string) =>
    service.service.db.write.raw(`alter table ${from} rename to ${to}`);
  await rename('link_sessions', 'link_sessions_renamed');
  const body = JSON.stringify({ applicationId: shop.id, origin: hostOrigin, externalUserId: text });
  const headers = { 'Content-Type': 'application/json' };
  await send('/connect/api/link-sessions', { method: 'POST', headers, body });
  await rename('link_sessions_renamed', 'link_sessions');
};
