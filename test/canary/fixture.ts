// A service with data of every kind: linked users, link sessions at each step, undelivered results and a running import.
// All user data consists of canaries.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { BankTransaction } from '../../connectors/kit/contract.ts';
import { findApplication } from '../../src/domain/applications/store.ts';
import { byOperator } from '../../src/domain/audit/by.ts';
import { makeDatabaseStorage } from '../../src/domain/institutions/sandbox/databaseStorage.ts';
import { loadFile } from '../../src/domain/institutions/sandbox/loadFile.ts';
import { setPassword } from '../../src/domain/institutions/sandbox/setPassword.ts';
import { createWebhookEndpoint, rotateWebhookSecret } from '../../src/domain/webhooks/endpoints.ts';
import { parseScopedToken } from '../../src/platform/vault/scopedToken.ts';
import {
  claimAccessUrl,
  claimAddressOf,
  createSetupToken,
  readSet,
  splitAccessUrl,
} from '../simplefin/fixture.ts';
import type { DatabaseKind } from '../support/databases.ts';
import {
  makeScriptedConnector,
  northBank,
  type ScriptedAccount,
  type ScriptedConnector,
  scriptedAccount,
  scriptedTransaction,
} from '../support/scriptedConnector.ts';
import {
  driveToEnd,
  driveToImport,
  type LinkOptions,
  link,
  openLinkSession,
  shareAgain,
  startService,
  type TestApplication,
  type TestLinkSession,
  type TestService,
} from '../support/testService.ts';
import { openReceiver } from '../webhooks/receiver.ts';
import type { Canary } from './scanner.ts';

export const sandboxUser = {
  username: 'canary-login-of-ofelia',
  password: 'password-kanarienvogel-77',
  account: 'CANARYACCOUNT55501234',
  transactionId: 'canary-transaction-id-801',
  description: 'Canary purchase at Café Ünmistakable',
  reference: 'CANARYREFERENCE/900817',
  amount: '-7391846205.17',
  balance: '918273645546.37',
};

const productionUser = {
  username: 'canary-customer-pelagia',
  accountId: 'canary-bank-account-id-1',
  accountName: 'Canary Joint Savings "für später"',
  number: 'DE00CANARYNUMBER4711',
  transactionId: 'canary-bank-transaction-id-42',
  description: 'Canary rent for a house of one’s own',
  reference: 'CANARY-STANDING-ORDER-3',
  amount: '-6182947305.25',
  balance: '827364551928.73',
  answer: 'canary answer: cornflower',
  userAgent: 'CanaryBrowser/31.4 (of pelagia)',
} satisfies Record<Exclude<keyof BankTransaction, 'id' | 'date' | 'status'>, string> & Record<string, string>;

export const textsOf = (whose: string, user: Record<string, string>): Canary[] =>
  Object.entries(user).map(([name, text]) => ({ name: `${whose}: ${name}`, text }));

export type CanaryFixture = {
  service: TestService;
  shop: TestApplication;
  connector: ScriptedConnector;
  /** All texts that only their user may read. */
  canaries: Canary[];
  /** The results of linking for the two users. */
  linked: { sandbox: LinkResult; production: LinkResult };
  /** The sessions of the production user whose imports are running: of a first link and of a reconnect. */
  importing: TestLinkSession[];
  logLines: string[];
  /** The requests that the endpoints of both applications received. */
  webhooks: Awaited<ReturnType<typeof openReceiver>>;
  /** Occurs in the URL of the endpoints. */
  webhookPath: string;
  /** Lets the held import continue. */
  release(): void;
};

type LinkResult = Awaited<ReturnType<typeof link>>;

/** Fills a fresh database; `directory` receives the file that is loaded. */
export const startCanaryFixture = async (
  database: DatabaseKind,
  directory: string,
): Promise<CanaryFixture> => {
  const logLines: string[] = [];
  const connector = makeScriptedConnector({ chunkSize: 2, canRevoke: true });
  const service = await startService({
    database,
    connectors: [connector.module],
    logTo: (line) => void logLines.push(line),
    env: { ALLOWED_NETWORKS: '127.0.0.1' },
    // Makes a refresh stage all texts instead of keeping them in memory.
    limits: { mergeMemoryBytes: 0, blockSortBytes: 1, webhookPollMs: 20 },
  });
  const shop = await service.addApplication({ environment: 'production' });
  const receiver = await openReceiver();
  const webhookSecrets = await addEndpoints(service, [service.application, shop], receiver.url + webhookPath);
  await loadSandboxUser(service, directory);
  setProductionUser(connector);
  const sandbox = await link(service, sandboxUser);
  // The sandbox stores the count of wrong passwords.
  const wrongPassword = { username: 'good', password: sandboxUser.password.replace('password', 'wrong') };
  await driveToImport(await openLinkSession(service), wrongPassword);
  const options = {
    ...{ username: productionUser.username, institutionId: northBank, applicationId: shop.id },
    ...{ answers: [productionUser.answer], externalUserId: 'user-1', userAgent: productionUser.userAgent },
  };
  const production = await link(service, options);
  const open = await openUnfinishedSessions(service, options);
  // Now the first transactions of an import are stored. Those of a reconnect are staged, because they may be known already.
  const release = connector.hold(options.username, 'chunk');
  const reconnected = { ...options, connectionId: production.connectionId };
  const running = [await openLinkSession(service, options), await openLinkSession(service, reconnected)];
  for (const [index, session] of running.entries()) {
    const chunks = connector.callsOf(options.username).chunk;
    if (index === 0) await shareAgain(session, options);
    else await driveToImport(session, reconnected);
    await vi.waitFor(() => expect(connector.callsOf(options.username).chunk).toBe(chunks + 1), {
      timeout: 10_000,
    });
  }
  const simplefin = await createSimplefinAccesses(service, [
    { apiKey: service.application.apiKey, scopedToken: sandbox.scopedToken! },
    { apiKey: shop.apiKey, scopedToken: production.scopedToken! },
  ]);
  const sessions = [sandbox.session, production.session, ...running, ...open];
  const canaries = [
    ...textsOf('sandbox user', sandboxUser),
    ...textsOf('production user', productionUser),
    { name: 'wrong password', text: wrongPassword.password },
    ...secretsOf(sessions, [sandbox, production], [service.application, shop]),
    ...simplefin.flatMap((text, at) => [
      { name: `SimpleFIN secret ${at}`, text },
      { name: `SimpleFIN secret ${at}, its bytes`, text: secretOfToken(text) },
    ]),
    ...webhookSecrets.map((text, at) => ({ name: `webhook secret ${at}`, text })),
  ];
  await receiver.waitFor(2);
  return {
    ...{ service, shop, connector, canaries, linked: { sandbox, production }, logLines, release },
    importing: running,
    ...{ webhooks: receiver, webhookPath },
  };
};

const webhookPath = '/canary-path-of-webhooks';

/** Adds an endpoint to each application, and replaces its secret once. Returns all secrets. */
const addEndpoints = async (
  { service }: TestService,
  applications: TestApplication[],
  url: string,
): Promise<string[]> => {
  const { db, clock, webhookEndpoints: deps } = service;
  const made: string[] = [];
  for (const { id } of applications) {
    const application = (await findApplication(db.read, id))!;
    const by = byOperator(application.organizationId, clock.real());
    const { endpoint, secret } = await createWebhookEndpoint(deps, { applicationId: id, url }, by);
    made.push(secret, (await rotateWebhookSecret(deps, endpoint, by)).secret);
  }
  return made;
};

/** Creates two accesses of each user: one stays unclaimed, one is claimed and used. Returns the claims and the passwords. */
const createSimplefinAccesses = async (
  { url }: TestService,
  users: { apiKey: string; scopedToken: string }[],
): Promise<string[]> => {
  const made: string[] = [];
  for (const { apiKey, scopedToken } of users) {
    const create = async () => {
      const setupToken = await createSetupToken({ url, apiKey, scopedToken });
      made.push(claimAddressOf(setupToken).split('/').at(-1)!);
      return setupToken;
    };
    await create();
    const accessUrl = await claimAccessUrl(await create());
    made.push(splitAccessUrl(accessUrl).password);
    expect((await readSet(accessUrl, '?start-date=0&pending=1')).accounts).not.toEqual([]);
  }
  return made;
};

/** The 32 bytes of the secret in a token of an id and a secret. */
const secretOfToken = (token: string): Buffer => Buffer.from(token, 'base64url').subarray(17, 49);

/** Writes the file that `sandbox load` reads. */
export const writeSandboxUser = async (directory: string): Promise<string> => {
  const { username, account, transactionId, amount, balance, description, reference } = sandboxUser;
  const path = join(directory, 'canary.csv');
  const rows = [
    'login,account,date,transaction,amount,balance,description,reference',
    `${username},${account},2024-01-15,${transactionId},${amount},${balance},${description},${reference}`,
  ];
  await writeFile(path, `${rows.join('\n')}\n`);
  return path;
};

const loadSandboxUser = async (service: TestService, directory: string): Promise<void> => {
  const path = await writeSandboxUser(directory);
  const { db, secrets, config } = service.service;
  const { organizationId } = service;
  await loadFile(db, secrets.sandbox, { organizationId, path, limits: config.limits, now: new Date() });
  const storage = makeDatabaseStorage(db, secrets.sandbox, organizationId);
  await setPassword(storage, sandboxUser.username, sandboxUser.password);
};

const setProductionUser = (bank: ScriptedConnector): void => {
  const { username, accountId, accountName, number, transactionId, balance, answer, ...fields } =
    productionUser;
  const transactions = [0, 1, 2, 3].map((at) =>
    scriptedTransaction({ ...fields, id: `${transactionId}-${at}` }),
  );
  const texts = {
    ...{ id: accountId, name: accountName, number },
    balance: { current: balance, available: balance, limit: balance },
  } satisfies Omit<ScriptedAccount, 'type' | 'subtype' | 'currency' | 'transactions'>;
  bank.setAccounts(username, [scriptedAccount({ ...texts, transactions })]);
  bank.challenge(username, { kind: 'question', label: 'What is it?' }, answer);
};

/** Link sessions stopped at each step at which a user may stop. */
const openUnfinishedSessions = async (
  service: TestService,
  options: LinkOptions,
): Promise<TestLinkSession[]> => {
  const open = () => openLinkSession(service, options);
  const challenged = await open();
  await driveToImport(challenged, { ...options, answers: [] });
  const refused = await open();
  await driveToImport(refused, { ...options, password: 'password that is wrong' });
  const selecting = await open();
  await driveToImport(selecting, { ...options, answers: [] });
  await selecting.step({ kind: 'answer', answer: options.answers![0]! });
  const undelivered = await open();
  await driveToEnd(undelivered, options);
  return [challenged, refused, selecting, undelivered];
};

const secretsOf = (
  sessions: TestLinkSession[],
  users: LinkResult[],
  applications: TestApplication[],
): Canary[] => [
  ...sessions.flatMap(({ secret }, at) => [
    { name: `link session secret ${at}`, text: secret },
    { name: `link session secret ${at}, its bytes`, text: Buffer.from(secret, 'base64url') },
  ]),
  ...users.flatMap(({ scopedToken }, at) => [
    { name: `scoped token ${at}`, text: scopedToken! },
    { name: `scoped token ${at}, its secret`, text: parseScopedToken(scopedToken!)!.secret },
  ]),
  ...applications.map(({ apiKey }, at) => ({ name: `API key ${at}`, text: apiKey.split('.')[2]! })),
];
