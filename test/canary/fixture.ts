// A service that has seen much: users linked, others in the middle of it, results not fetched, imports under way,
// and everything that is a user's own is a canary.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { loadFile } from '../../src/connectors/sandbox/storage/loadFile.ts';
import { parseScopedToken } from '../../src/vault/scopedToken.ts';
import {
  makeScriptedConnector,
  northBank,
  type ScriptedConnector,
  scriptedAccount,
  scriptedTransaction,
} from '../support/scriptedConnector.ts';
import type { DatabaseKind } from '../support/databases.ts';
import {
  driveToEnd,
  driveToImport,
  type LinkOptions,
  link,
  openLinkSession,
  startService,
  type TestApplication,
  type TestService,
  type TestLinkSession,
} from '../support/testService.ts';
import type { Canary } from './scanner.ts';

const sandboxUser = {
  username: 'canary-login-of-ofelia',
  password: 'password-kanarienvogel-77',
  account: 'CANARYACCOUNT55501234',
  entry: 'canary-entry-number-801',
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
  entry: 'canary-bank-entry-id-42',
  description: 'Canary rent for a house of one’s own',
  reference: 'CANARY-STANDING-ORDER-3',
  amount: '-6182947305.25',
  balance: '827364551928.73',
  answer: 'canary answer: cornflower',
};

const textsOf = (whose: string, user: Record<string, string>): Canary[] =>
  Object.entries(user).map(([name, text]) => ({ name: `${whose}: ${name}`, text }));

export type CanaryFixture = {
  service: TestService;
  shop: TestApplication;
  connector: ScriptedConnector;
  /** Everything that nobody but its user may read. */
  canaries: Canary[];
  /** What onSuccess delivered to the two users. */
  linked: { sandbox: LinkResult; production: LinkResult };
  logLines: string[];
  /** Lets go what was held in the middle of an import. */
  release(): void;
};

type LinkResult = Awaited<ReturnType<typeof link>>;

/** Sets the scene on a fresh database; `directory` is for the file that is loaded. */
export const startCanaryFixture = async (
  database: DatabaseKind,
  directory: string,
): Promise<CanaryFixture> => {
  const logLines: string[] = [];
  const connector = makeScriptedConnector({ chunkSize: 2 });
  const service = await startService({
    database,
    connectors: [connector.connector],
    logTo: (line) => void logLines.push(line),
    // Nothing waits in memory: whatever a refresh may stage is staged.
    limits: { mergeInMemoryRows: 1 },
  });
  const shop = await service.addApplication({ environment: 'production' });
  await loadSandboxUser(service, directory);
  showProductionUser(connector);
  const sandbox = await link(service, sandboxUser);
  // The sandbox bank remembers this.
  const mistaken = { username: 'good', password: sandboxUser.password.replace('password', 'wrong') };
  await driveToImport(await openLinkSession(service), mistaken);
  const visit = {
    ...{ username: productionUser.username, institutionId: northBank, applicationId: shop.id },
    ...{ answers: [productionUser.answer], externalUserId: 'user-1' },
  };
  const production = await link(service, visit);
  const open = await leaveSessions(service, visit);
  const release = connector.hold('chunk');
  const importing = await openLinkSession(service, visit);
  const chunks = connector.calls.chunk;
  await driveToImport(importing, visit);
  // From here on the first entries of this import lie staged.
  await vi.waitFor(() => expect(connector.calls.chunk).toBe(chunks + 1), { timeout: 10_000 });
  const sessions = [sandbox.session, production.session, importing, ...open];
  const canaries = [
    ...textsOf('sandbox user', sandboxUser),
    ...textsOf('production user', productionUser),
    { name: 'mistaken password', text: mistaken.password },
    ...secretsOf(sessions, [sandbox, production], [service.application, shop]),
  ];
  return { service, shop, connector, canaries, linked: { sandbox, production }, logLines, release };
};

const loadSandboxUser = async (service: TestService, directory: string): Promise<void> => {
  const { username, account, entry, amount, balance, description, reference } = sandboxUser;
  const path = join(directory, 'canary.csv');
  const rows = [
    'login,account,date,transaction,amount,balance,description,reference',
    `${username},${account},2024-01-15,${entry},${amount},${balance},${description},${reference}`,
  ];
  await writeFile(path, `${rows.join('\n')}\n`);
  const { db, secrets } = service.service;
  await loadFile(db, secrets.sandbox, { path, now: new Date() });
};

const showProductionUser = (bank: ScriptedConnector): void => {
  const { username, accountId, accountName, number, entry, balance, answer, ...fields } = productionUser;
  const transactions = [0, 1, 2, 3].map((at) => scriptedTransaction({ ...fields, id: `${entry}-${at}` }));
  const balances = { current: balance, available: balance, limit: balance };
  bank.setAccounts(username, [
    scriptedAccount({ id: accountId, name: accountName, number, balance: balances, transactions }),
  ]);
  bank.challenge(username, { kind: 'question', label: 'What is it?' }, answer);
};

/** Sessions that stop at every place where a user may stop. */
const leaveSessions = async (service: TestService, visit: LinkOptions): Promise<TestLinkSession[]> => {
  const open = () => openLinkSession(service, visit);
  const asked = await open();
  await driveToImport(asked, { ...visit, answers: [] });
  const refused = await open();
  await driveToImport(refused, { ...visit, password: 'password that is wrong' });
  const choosing = await open();
  await driveToImport(choosing, { ...visit, answers: [] });
  await choosing.step({ kind: 'answer', answer: visit.answers![0]! });
  const unfetched = await open();
  await driveToEnd(unfetched, visit);
  return [asked, refused, choosing, unfetched];
};

const secretsOf = (
  sessions: TestLinkSession[],
  users: LinkResult[],
  applications: TestApplication[],
): Canary[] => [
  ...sessions.flatMap(({ secret }, at) => [
    { name: `session secret ${at}`, text: secret },
    { name: `session secret ${at}, its bytes`, text: Buffer.from(secret, 'base64url') },
  ]),
  ...users.flatMap(({ scopedToken }, at) => [
    { name: `scoped token ${at}`, text: scopedToken! },
    { name: `scoped token ${at}, its secret`, text: parseScopedToken(scopedToken!)!.secret },
  ]),
  ...applications.map(({ apiKey }, at) => ({ name: `API key ${at}`, text: apiKey.split('.')[2]! })),
];
