// The import rules: what each folder of src/ may import, which packages belong to which files, and no cycles.
// docs/architecture.md gives the reasons. `npm run check` and test/architecture run the rules.

/**
 * The folders of src/ that each folder may import, besides the files at the top of src/, settings/, loops/ and generated/. A folder names only
 * folders above it, so that the table has no cycle. A child may import its parent (an account its connection), a parent
 * never its child.
 */
const folders = {
  telemetry: [],
  db: ['telemetry'],
  vault: [],
  institutions: ['telemetry'],
  audit: ['db'],
  // The sandbox's data in the database.
  'institutions/sandbox': ['db', 'vault', 'connectors/sandbox'],
  applications: ['db', 'vault', 'audit'],
  webhooks: ['telemetry', 'db', 'vault', 'audit', 'applications'],
  members: ['db', 'vault', 'audit'],
  metrics: ['telemetry', 'db', 'vault', 'applications'],
  codec: ['db', 'vault'],
  users: ['db', 'vault'],
  connections: ['db', 'vault', 'audit', 'codec', 'users', 'webhooks'],
  read: ['db', 'vault', 'codec', 'users', 'connections'],
  simplefin: ['db', 'vault', 'audit', 'applications', 'codec', 'users', 'connections', 'read'],
  merge: ['vault', 'db', 'codec', 'connections'],
  refresh: [
    ...[
      'telemetry',
      'db',
      'vault',
      'audit',
      'applications',
      'institutions',
      'codec',
      'users',
      'connections',
      'merge',
    ],
  ],
  signals: ['telemetry', 'db', 'refresh', 'webhooks'],
  retention: ['db', 'codec', 'users', 'connections', 'webhooks', 'metrics'],
  linking: [
    ...['db', 'vault', 'institutions', 'applications', 'metrics', 'users', 'connections'],
    ...['codec', 'merge', 'refresh'],
  ],
  // A rotation makes rows of these folders anew.
  secrets: [
    'telemetry',
    'db',
    'vault',
    'applications',
    'users',
    'connections',
    'institutions/sandbox',
    'linking',
    'webhooks',
  ],
  backup: ['db', 'secrets'],
  // Has no access to the service: a consumer like any other.
  demo: ['client'],
  'service.ts': [
    ...['db', 'vault', 'secrets', 'institutions', 'institutions/sandbox', 'applications', 'users'],
    ...['connections', 'refresh', 'retention', 'linking', 'members', 'metrics'],
    ...['webhooks', 'signals', 'connectors/sandbox', 'telemetry'],
  ],
  // Requests come through here, and cannot query the database except through the folders named.
  http: [
    ...['vault', 'institutions', 'institutions/sandbox', 'applications', 'users'],
    ...['connections', 'codec', 'read', 'simplefin', 'linking', 'members', 'audit', 'metrics'],
    ...[
      'refresh/refreshRequests.ts',
      'refresh/health.ts',
      'webhooks',
      'signals',
      'connectors/sandbox',
      'service.ts',
    ],
    ...['demo', 'telemetry'],
  ],
  commands: [
    ...['db', 'vault', 'secrets', 'institutions', 'institutions/sandbox', 'applications', 'users'],
    ...['connections', 'codec', 'read', 'simplefin', 'refresh', 'retention', 'linking', 'audit'],
    ...['members', 'telemetry'],
    // The command that links a sandbox user takes the steps of the client's function.
    ...['webhooks', 'signals', 'backup', 'service.ts', 'demo', 'http', 'client', 'connectors/sandbox'],
  ],
  'main.ts': ['db', 'service.ts', 'http', 'commands'],
};

/** Folders beside src/ whose code runs in a browser or at a consumer. They import neither src/ nor each other. */
const separateFolders = ['client', 'widget', 'dashboard'];

/** The sandbox bank, which the service also shows to developers. */
const otherFolders = [...separateFolders, 'connectors/sandbox'];

/** The connectors, and which others each may import. None imports src/. */
const connectors = { kit: [], statements: [], fints: ['statements'], simplefin: [], sandbox: [] };

/** The files of src/ that may import a package. A package that is not named may be imported everywhere. */
const packages = {
  'prom-client': ['signals/'],
  '@opentelemetry': ['telemetry/'],
  pino: ['telemetry/'],
  knex: ['db/', '[^/]+/store\\.ts$', 'institutions/sandbox/store\\.ts$', 'refresh/(jobs|health)\\.ts$'],
  'better-sqlite3': ['db/', 'backup/sqliteBackup\\.ts$'],
  pg: ['db/'],
  express: ['http/', 'demo/'],
  'express-openapi-validator': ['http/'],
  commander: ['main\\.ts$', 'commands/'],
  jose: ['applications/'],
  '@simplewebauthn/server': ['members/passkeys\\.ts$'],
  'openid-client': ['members/oidc\\.ts$'],
  'sodium-native': ['vault/', 'read/cursor\\.ts$'],
};

const names = Object.keys(folders);
const isFile = (name) => name.endsWith('.ts');

for (const [index, name] of names.entries()) {
  const later = folders[name].find((other) => names.indexOf(other) > index);
  if (later) throw new Error(`${name} may not import ${later}, which the table names later.`);
}

/** Matches the files of a folder, or one file. Nested folders that the table names are not part of their parent. */
const pathOf = (name) => {
  if (otherFolders.includes(name)) return `^${name}/`;
  if (isFile(name)) return `^src/${name.replace('.', '\\.')}$`;
  const nested = names.filter((other) => other.startsWith(`${name}/`));
  const except = nested.map((other) => `(?!${other.slice(name.length + 1)}/)`).join('');
  return `^src/${name}/${except}`;
};

/** What connectors are written with. All of src/ may import it. */
const kit = '^connectors/kit/';

const own = '^(src|connectors|widget|dashboard|client|bench|examples|scripts|test)/';
/** Every file at the top of src/ without an entry of its own, and those of settings/ and loops/. */
const baseFile = `^src/((settings|loops)/)?(?!(${names.filter(isFile).join('|').replaceAll('.', '\\.')})$)[^/]+$`;

const folderRules = names.map((name) => ({
  name: `folder-${name.replaceAll('/', '-')}`,
  comment: `src/${name} may import only what .dependency-cruiser.mjs allows.`,
  severity: 'error',
  from: { path: pathOf(name) },
  to: {
    path: own,
    pathNot: [pathOf(name), ...folders[name].map(pathOf), baseFile, kit],
  },
}));

const packageRules = Object.entries(packages).map(([name, files]) => ({
  name: `package-${name.replaceAll('/', '-')}`,
  comment: `${name} is used only by src/${files.join(', src/')}.`,
  severity: 'error',
  from: { path: '^src/', pathNot: files.map((file) => `^src/${file}`) },
  to: { path: `node_modules/(@types/)?${name}/` },
}));

/** Who may open what. `reachable` also finds an import through other files, and counts types. */
const keyRules = [
  {
    name: 'worker-boxes',
    comment: 'What answers the public API reaches nothing that opens boxes of the worker.',
    severity: 'error',
    from: { path: '^src/(read|http/api)/' },
    to: { path: '^src/vault/workerBoxes[.]ts$', reachable: true },
  },
  {
    name: 'reader',
    comment: 'Only reading and the SimpleFIN server open what a scoped token opens.',
    severity: 'error',
    from: { path: '^src/', pathNot: '^src/(read|simplefin)/' },
    to: { path: '^src/vault/reader[.]ts$' },
  },
  {
    name: 'reader-of-worker',
    comment: 'What the worker does reaches nothing that opens what a scoped token opens.',
    severity: 'error',
    from: { path: '^src/(merge|refresh|linking|retention)/' },
    to: { path: '^src/(vault/reader[.]ts$|read/)', reachable: true },
  },
  {
    name: 'read-without-refresh',
    comment: 'Reading reaches nothing of a refresh.',
    severity: 'error',
    from: { path: '^src/read/' },
    to: { path: '^src/(refresh|merge)/', reachable: true },
  },
];

export default {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Files may not import each other in a cycle, types included.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'known-folder',
      comment: 'Each folder of src/ needs an entry in .dependency-cruiser.mjs.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: [...names.map(pathOf), baseFile] },
      to: {},
    },
    {
      name: 'top-level-files',
      comment: 'The files at the top of src/, in settings/ and loops/ may import only each other.',
      severity: 'error',
      from: { path: baseFile },
      to: { path: own, pathNot: [baseFile, kit] },
    },
    ...folderRules,
    ...keyRules,
    ...separateFolders.map((name) => ({
      name: `folder-${name}`,
      comment: `${name}/ may import only its own files and generated/.`,
      severity: 'error',
      from: { path: `^${name}/` },
      to: { path: own, pathNot: [`^${name}/`] },
    })),
    ...Object.entries(connectors).map(([name, others]) => ({
      name: `connector-${name}`,
      comment: `connectors/${name} may import only its own files, ${['the kit', ...others].join(' and ')}.`,
      severity: 'error',
      from: { path: `^connectors/${name}/` },
      to: {
        path: own,
        pathNot: [`^connectors/${name}/`, kit, ...others.map((other) => `^connectors/${other}/`)],
      },
    })),
    ...packageRules,
    {
      name: 'installed-packages',
      comment:
        'What the service imports, except types, must be in "dependencies": it runs after npm ci --omit=dev.',
      severity: 'error',
      from: { path: '^(src|client|connectors)/', pathNot: '^connectors/(kit/conformance[.]|[^/]+/test/)' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-optional', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'file-names',
      comment:
        'A file or folder is named by its content. Import from the file that declares a name, not from an index.',
      severity: 'error',
      from: {},
      to: {
        path: ['^src/.+/index[.]', '/(util|utils|helper|helpers|common|shared|lib|misc)(/|[.])'],
        pathNot: 'node_modules/',
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // What is built of the packages.
    exclude: { path: '^(client|connectors/kit|widget/[^/]+)/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    detectProcessBuiltinModuleCalls: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
