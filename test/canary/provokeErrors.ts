// Everything that can go wrong with a user's data in a request: every place of it holds a canary, and what comes
// back is collected.
import { northBank } from '../support/scriptedConnector.ts';
import { driveToEnd, hostOrigin, openLinkSession } from '../support/testService.ts';
import type { CanaryFixture } from './fixture.ts';

/** Reads all that the two users have, so that a reader has been everywhere. */
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

type ErrorCollector = { ask(path: string, init?: RequestInit): Promise<void>; bodies: string[] };

const makeErrorCollector = (url: string): ErrorCollector => {
  const bodies: string[] = [];
  const ask = async (path: string, init?: RequestInit): Promise<void> => {
    const response = await fetch(url + path, init);
    const text = await response.text();
    if (response.status < 400) throw new Error(`${path} was not refused but answered ${response.status}.`);
    bodies.push(text);
  };
  return { ask, bodies };
};

/** Provokes errors at both doors, in the bank and in the database; the bodies of all answers. */
export const provokeErrors = async (scene: CanaryFixture): Promise<string[]> => {
  const { ask, bodies } = makeErrorCollector(scene.service.url);
  const texts = scene.canaries.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  for (const text of texts) {
    await provokeApiErrors(scene, ask, text);
    await provokeWidgetErrors(scene, ask, text);
  }
  await provokeConnectorErrors(scene, texts);
  await provokeDatabaseErrors(scene, ask, texts[0]!);
  return bodies;
};

const provokeApiErrors = async (
  scene: CanaryFixture,
  ask: ErrorCollector['ask'],
  text: string,
): Promise<void> => {
  const { shop, linked } = scene;
  const good = { Authorization: `Bearer ${shop.apiKey}`, 'X-Scoped-Token': linked.production.scopedToken! };
  const list = `/accounts/${linked.production.accounts[0]!.id}/transactions`;
  const value = encodeURIComponent(text);
  await ask(`/connections/${value}`, { headers: good });
  await ask(`/accounts/${value}/transactions`, { headers: good });
  for (const query of [
    `cursor=${value}`,
    `refreshedSince=${value}`,
    `date[gte]=${value}`,
    `limit=x${value}`,
  ]) {
    await ask(`${list}?${query}`, { headers: good });
  }
  await ask(`/connections/${value}`, { method: 'POST', headers: good, body: text });
  const asHeader = value.slice(0, 2000);
  await ask('/connections', { headers: { ...good, Authorization: `Bearer ${asHeader}x` } });
  await ask('/connections', { headers: { ...good, 'X-Scoped-Token': `${asHeader}x` } });
};

const provokeWidgetErrors = async (
  scene: CanaryFixture,
  ask: ErrorCollector['ask'],
  text: string,
): Promise<void> => {
  const { shop, linked } = scene;
  const { session } = linked.production;
  const sessions = '/connect/api/link-sessions';
  const post = (path: string, body: unknown, secret = session.secret) =>
    ask(path, {
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
  await ask(`${sessions}/${encodeURIComponent(text)}`, {
    headers: { Authorization: `Bearer ${session.secret}` },
  });
};

/** A bank that says in its errors what it was told. */
const provokeConnectorErrors = async (
  { service, shop, connector }: CanaryFixture,
  texts: string[],
): Promise<void> => {
  const said = `The bank said: ${texts.join(', ')}\n    at ${texts[0]} (file:///bank.js:1:2)`;
  const visit = { username: 'quiet', institutionId: northBank, applicationId: shop.id };
  connector.setAccounts('quiet', []);
  for (const method of ['signIn', 'accounts'] as const) {
    connector.fail(
      method,
      Object.assign(new Error(said, { cause: new Error(said) }), { code: said, reason: said }),
    );
    const session = await openLinkSession(service, visit);
    await driveToEnd(session, visit);
    if (session.view.state !== 'failed') throw new Error('The bank was meant to fail.');
  }
};

/** A table that is away, so that the driver's own errors are told. */
const provokeDatabaseErrors = async (
  { service, shop }: CanaryFixture,
  ask: ErrorCollector['ask'],
  text: string,
): Promise<void> => {
  const rename = (from: string, to: string) => service.service.db.write.schema.renameTable(from, to);
  await rename('link_sessions', 'linking_sessions_elsewhere');
  const body = JSON.stringify({ applicationId: shop.id, origin: hostOrigin, externalUserId: text });
  const headers = { 'Content-Type': 'application/json' };
  await ask('/connect/api/link-sessions', { method: 'POST', headers, body });
  await rename('linking_sessions_elsewhere', 'link_sessions');
};
