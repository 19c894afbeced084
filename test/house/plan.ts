// The plan of the house: which rooms there are, what each may import, and which packages belong where. Data
// walks one way, so imports do: a child may know its parent, a parent never knows its child. docs/architecture.md
// says why; this table is what holds.

/** A room is a folder of src/, or a group of files at its top. */
export type Room = {
  /** Rooms, or single files of other rooms. Every room may import `base` and the made types of generated/. */
  mayImport: readonly string[];
};

/** The contract that connectors fulfil: plain types, which the rooms that keep accounts and entries may name. */
const bankContract = 'banks/bank.ts';

/** What the dashboard may ask of the schedule; everything else of refreshing is the worker's. */
const schedule = 'refresh/schedule.ts';

export const rooms: Record<string, Room> = {
  base: { mayImport: [] },
  db: { mayImport: [] },
  vault: { mayImport: [] },
  banks: { mayImport: [] },
  secrets: { mayImport: ['db', 'vault'] },
  sandbox: { mayImport: ['db', 'vault', 'banks'] },
  applications: { mayImport: ['db', 'vault'] },
  // Who did what, the people who did it, and how often what happened.
  audit: { mayImport: ['db'] },
  members: { mayImport: ['db', 'vault', 'audit'] },
  metrics: { mayImport: ['db', 'vault', 'applications'] },
  users: { mayImport: ['db', 'vault'] },
  connections: { mayImport: ['db', 'vault', 'users'] },
  accounts: { mayImport: ['db', 'vault', 'users', 'connections', bankContract] },
  transactions: { mayImport: ['db', 'vault', 'users', 'connections', 'accounts', bankContract] },
  refresh: { mayImport: ['db', 'vault', 'banks', 'users', 'connections', 'accounts', 'transactions'] },
  retention: { mayImport: ['db', 'users', 'connections', 'accounts', 'transactions'] },
  linking: {
    mayImport: ['db', 'vault', 'banks', 'applications', 'users', 'connections', 'accounts', 'refresh'],
  },
  // Doors: the requests of the world, the demo (a consumer like any other), and the operator.
  http: {
    mayImport: [
      ...['vault', 'applications', 'users', 'connections', 'accounts', 'transactions', 'linking'],
      ...['members', 'audit', 'metrics', 'sandbox', schedule, 'service', 'demo'],
    ],
  },
  demo: { mayImport: ['client'] },
  service: {
    mayImport: [
      ...['db', 'vault', 'secrets', 'banks', 'sandbox', 'applications', 'users', 'connections', 'accounts'],
      ...['transactions', 'refresh', 'retention', 'linking', 'members', 'metrics'],
    ],
  },
  commands: {
    mayImport: [
      ...['db', 'vault', 'secrets', 'banks', 'sandbox', 'applications', 'users', 'connections', 'accounts'],
      ...['transactions', 'refresh', 'retention', 'linking', 'members', 'service', 'http', 'demo'],
    ],
  },
  main: { mayImport: ['service', 'commands', 'http', 'db'] },
};

/** Files at the top of src/ that are not base. */
export const topFiles: Record<string, string> = { 'src/main.ts': 'main', 'src/service.ts': 'service' };

/** What runs in a browser or at a consumer's, apart from src/ and from each other. */
export const islands: readonly string[] = ['widget', 'dashboard', 'client'];

/** A package is named only in these places: a file, or a folder with a slash at its end. */
export const packages: Record<string, readonly RegExp[]> = {
  knex: [/^src\/db\//, /^src\/[^/]+\/store\.ts$/, /^src\/refresh\/claims\.ts$/],
  'better-sqlite3': [/^src\/db\//],
  pg: [/^src\/db\//],
  express: [/^src\/http\//, /^src\/demo\//],
  'express-openapi-validator': [/^src\/http\//],
  commander: [/^src\/main\.ts$/, /^src\/commands\//],
  jose: [/^src\/applications\//],
  '@simplewebauthn/server': [/^src\/members\/passkeys\.ts$/],
  'openid-client': [/^src\/members\/openId\.ts$/],
  // Cryptography has one home; the page cursor's seal is the one other place.
  'sodium-native': [/^src\/vault\//, /^src\/random\.ts$/, /^src\/transactions\/page\.ts$/],
};

/** Where the types of requests, and not only those of resources, may be named. */
export const requestTypes: readonly RegExp[] = [/^src\/http\//, /^client\//, /^widget\//, /^dashboard\//];

/** Shelves: names that say nothing about what stands there. */
export const emptyNames: readonly string[] = [
  'utils',
  'util',
  'helpers',
  'helper',
  'common',
  'shared',
  'lib',
  'misc',
];

/** Where the walk through src/ begins; what cannot be reached from there is used by nobody. */
export const entrances: readonly string[] = ['src/main.ts'];
