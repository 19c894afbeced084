// A worker on a database with one large account: imports it, or refreshes it fully, sends the cost as one message, and exits.
// It first imports and refreshes a small account, without measuring.
import { addApplication, type DatabaseLocation, startImporter } from '../data/fixture.ts';
import type { Login } from '../data/generatedConnector.ts';
import { linkLogin } from '../data/linkLogin.ts';

/** The options of the process, as JSON in REFRESHER_OPTIONS. Without `held`, the process imports the account. */
export type RefresherOptions = {
  location: DatabaseLocation;
  login: Login;
  held?: { applicationId: string; connectionId: string };
};

export type RefresherResult = {
  held: { applicationId: string; connectionId: string };
  /** Resident memory before, and the maximum over the life of the process. */
  residentBefore: number;
  residentMax: number;
  cpuSeconds: number;
  /** The number of transactions, and of those that the last refresh changed. */
  transactions: number;
  changed: number;
};

const { location, login, held }: RefresherOptions = JSON.parse(process.env.REFRESHER_OPTIONS ?? '{}');
const importer = await startImporter(location, { limits: { fullRefreshDays: 0 } });
const { service, generated, url } = importer;
const applicationId = held?.applicationId ?? (await addApplication(service)).applicationId;

const refresh = async (connectionId: string): Promise<void> => {
  const { refused, failed } = await importer.refresh(connectionId);
  if (refused.length + failed.length > 0) throw new Error('The refresh failed.');
};
const link = async (username: string): Promise<string> =>
  (await linkLogin(url, { applicationId, username, pollMs: 50 })).connectionId;

const small = { ...login, transactions: 1000, span: 1000 };
generated.setLogin('small', small);
const smallConnection = await link('small');
await refresh(smallConnection);
generated.setLogin('small', { ...small, revision: ' small' });
await refresh(smallConnection);

generated.setLogin('held', login);
globalThis.gc?.();
const residentBefore = process.memoryUsage.rss();
const cpuBefore = process.cpuUsage();
let connectionId = held?.connectionId;
if (connectionId) await refresh(connectionId);
else connectionId = await link('held');
const { user, system } = process.cpuUsage(cpuBefore);
// In KiB, and exact, because the kernel records the maximum.
const residentMax = process.resourceUsage().maxRSS * 1024;

// PostgreSQL does this automatically soon after many inserts, but the test server does not.
if (service.db.dialect === 'postgres') await service.db.write.raw('analyze');

const account = await service.db.read('accounts').where({ connectionId }).first('*');
const ofAccount = { endUserId: account!.endUserId, accountShortId: account!.shortId };
const count = async (where: object): Promise<number> =>
  Number((await service.db.read('transactions').where(where).count({ count: '*' }).first())?.count);
const result: RefresherResult = {
  held: { applicationId, connectionId },
  ...{ residentBefore, residentMax, cpuSeconds: (user + system) / 1e6 },
  transactions: await count(ofAccount),
  changed: await count({ ...ofAccount, refreshTime: account!.lastRefreshTime }),
};
await importer.close();
process.send!(result);
process.disconnect();
