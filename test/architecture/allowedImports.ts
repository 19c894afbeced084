// The plan of the house: which rooms there are, what each may import, and which packages belong where. Data
// walks one way, so imports do: a child may know its parent, a parent never knows its child. docs/architecture.md
// says why; this table is what holds.

/** A room is a folder of src/, or a group of files at its top. */
export type Module = {
  /** Rooms, or single files of other rooms. Every room may import `base` and the made types of generated/. */
  mayImport: readonly string[];
};

/** The contract that connectors fulfil: plain types, which the rooms that keep accounts and entries may name. */
const connectorContract = 'connectors/connector.ts';

/** What the dashboard may ask of the schedule; everything else of refreshing is the worker's. */
const refreshScheduling = 'refresh/refreshRequests.ts';

export const modules: Record<string, Module> = {
  base: { mayImport: [] },
  db: { mayImport: [] },
  vault: { mayImport: [] },
  connectors: { mayImport: [] },
  secrets: { mayImport: ['db', 'vault'] },
  // The sandbox connector's data, in the database.
  sandboxStorage: { mayImport: ['db', 'vault', 'connectors'] },
  applications: { mayImport: ['db', 'vault'] },
  // Who did what, the people who did it, and how often what happened.
  audit: { mayImport: ['db'] },
  members: { mayImport: ['db', 'vault', 'audit'] },
  metrics: { mayImport: ['db', 'vault', 'applications'] },
  users: { mayImport: ['db', 'vault'] },
  connections: { mayImport: ['db', 'vault', 'users'] },
  accounts: { mayImport: ['db', 'vault', 'users', 'connections', connectorContract] },
  transactions: { mayImport: ['db', 'vault', 'users', 'connections', 'accounts', connectorContract] },
  refresh: { mayImport: ['db', 'vault', 'connectors', 'users', 'connections', 'accounts', 'transactions'] },
  retention: { mayImport: ['db', 'users', 'connections', 'accounts', 'transactions'] },
  linking: {
    mayImport: ['db', 'vault', 'connectors', 'applications', 'users', 'connections', 'accounts', 'refresh'],
  },
  // Doors: the requests of the world, the demo (a consumer like any other), and the operator.
  http: {
    mayImport: [
      ...['vault', 'applications', 'users', 'connections', 'accounts', 'transactions', 'linking'],
      ...[
        'members',
        'audit',
        'metrics',
        'connectors',
        'sandboxStorage',
        refreshScheduling,
        'service',
        'demo',
      ],
    ],
  },
  demo: { mayImport: ['client'] },
  service: {
    mayImport: [
      ...[
        'db',
        'vault',
        'secrets',
        'connectors',
        'sandboxStorage',
        'applications',
        'users',
        'connections',
        'accounts',
      ],
      ...['transactions', 'refresh', 'retention', 'linking', 'members', 'metrics'],
    ],
  },
  commands: {
    mayImport: [
      ...[
        'db',
        'vault',
        'secrets',
        'connectors',
        'sandboxStorage',
        'applications',
        'users',
        'connections',
        'accounts',
      ],
      ...['transactions', 'refresh', 'retention', 'linking', 'members', 'service', 'http', 'demo'],
    ],
  },
  main: { mayImport: ['service', 'commands', 'http', 'db'] },
};

/** Files at the top of src/ that are not base. */
export const topLevelFiles: Record<string, string> = { 'src/main.ts': 'main', 'src/service.ts': 'service' };

/** What runs in a browser or at a consumer's, apart from src/ and from each other. */
export const separatePackages: readonly string[] = ['widget', 'dashboard', 'client'];

/** A package is named only in these places: a file, or a folder with a slash at its end. */
export const packageUsers: Record<string, readonly RegExp[]> = {
  knex: [
    /^src\/db\//,
    /^src\/[^/]+\/store\.ts$/,
    /^src\/connectors\/sandbox\/storage\/store\.ts$/,
    /^src\/refresh\/jobs\.ts$/,
  ],
  'better-sqlite3': [/^src\/db\//],
  pg: [/^src\/db\//],
  express: [/^src\/http\//, /^src\/demo\//],
  'express-openapi-validator': [/^src\/http\//],
  commander: [/^src\/main\.ts$/, /^src\/commands\//],
  jose: [/^src\/applications\//],
  '@simplewebauthn/server': [/^src\/members\/passkeys\.ts$/],
  'openid-client': [/^src\/members\/oidc\.ts$/],
  // Cryptography has one home; the page cursor's seal is the one other place.
  'sodium-native': [/^src\/vault\//, /^src\/random\.ts$/, /^src\/transactions\/pageCursor\.ts$/],
};

/** Where the types of requests, and not only those of resources, may be named. */
export const requestTypeUsers: readonly RegExp[] = [/^src\/http\//, /^client\//, /^widget\//, /^dashboard\//];

/** Shelves: names that say nothing about what stands there. */
export const vagueNames: readonly string[] = [
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
export const entryPoints: readonly string[] = ['src/main.ts'];
