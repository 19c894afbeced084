// Runs as a separate process for one checkout: `prepare` fills a database for the read rows, `import` and `refresh`
// measure the CPU time of writing. Commands and their results are messages.
import { join } from 'node:path';
import { type CheckoutImporter, type Login, makeFixture, startImporter } from './checkoutModules.ts';

export type DataCommand =
  | { command: 'prepare'; login: Login; refreshes: number }
  | { command: 'import'; login: Login }
  | { command: 'refresh' };

export type Prepared = {
  apiKey: string;
  account: { connectionId: string; accountId: string; scopedToken: string };
  refreshedAccount: { accountId: string; scopedToken: string };
};

const { CHECKOUT: checkout = '', DIRECTORY: directory = '' } = process.env;
const locationOf = (name: string) => ({ directory, databaseUrl: `sqlite:${join(directory, name)}` });

const prepare = async (login: Login, refreshes: number): Promise<Prepared> => {
  const fixture = await makeFixture(checkout, locationOf('service.db'));
  return {
    apiKey: fixture.apiKey,
    account: await fixture.link('small', login),
    refreshedAccount: await fixture.linkWithRefreshes('refreshed', refreshes),
  };
};

const cpuMicrosOf = async (run: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
};

let importer: CheckoutImporter | undefined;
let imports = 0;
let connectionId = '';

const handle = async (message: DataCommand): Promise<Prepared | number> => {
  if (message.command === 'prepare') return prepare(message.login, message.refreshes);
  importer ??= await startImporter(checkout, locationOf('imports.db'));
  const { link, refresh, setLogin } = importer;
  if (message.command === 'refresh') return cpuMicrosOf(() => refresh(connectionId));
  const username = `import ${imports++}`;
  setLogin(username, message.login);
  return cpuMicrosOf(async () => {
    ({ connectionId } = await link(username));
  });
};

process.on('message', async (message: DataCommand) => {
  process.send!(await handle(message));
});
process.on('disconnect', async () => {
  await importer?.close();
  process.exit();
});
