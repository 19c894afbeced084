// The import rules: what each folder of src/ may import, which packages belong to which files, and no cycles.
// docs/architecture.md gives the reasons. `npm run check` and test/architecture run the rules.

/**
 * The five districts of src/, from the lowest to the highest, and for each of their folders the others of its district that it
 * may import. A folder may import all districts below its own, and none above. It names only folders before it, so that
 * nothing has a cycle. A child may import its parent (an account its connection), a parent never its child.
 */
const districts = {
  // The base of any service of this kind. Knows no noun.
  platform: {
    values: [],
    settings: ['values'],
    loops: ['values', 'settings'],
    telemetry: ['values', 'settings'],
    db: ['values', 'settings', 'loops', 'telemetry'],
    vault: ['values', 'settings', 'loops'],
  },
  // The nouns: their rules, statements and keys.
  domain: {
    audit: [],
    rateLimits: [],
    institutions: ['rateLimits'],
    // The sandbox's data in the database.
    'institutions/sandbox': ['institutions'],
    applications: ['audit'],
    webhooks: ['audit', 'applications'],
    members: ['audit'],
    requestLog: ['applications'],
    codec: [],
    users: [],
    connections: ['audit', 'codec', 'users', 'webhooks'],
  },
  // The paths of the data.
  flows: {
    read: [],
    simplefin: ['read'],
    merge: [],
    refresh: ['merge'],
    link: [],
    import: ['link', 'refresh', 'merge'],
  },
  // Work that a service does by itself, over all nouns.
  operations: { signals: [], retention: [], secrets: [], backup: ['secrets'] },
  // The entry points.
  interfaces: { demo: [], http: ['demo'], commands: ['demo', 'http'] },
};

/** The files at the top of src/, and the highest district that each may import. */
const topFiles = { 'service.ts': 'operations', 'main.ts': 'interfaces' };

/** Folders outside src/ that src/ imports. */
const outside = {
  'domain/institutions/sandbox': ['connectors/sandbox'],
  'interfaces/demo': ['client'],
  'interfaces/http': ['connectors/sandbox'],
  // The command that links a sandbox user uses the client's function.
  'interfaces/commands': ['client', 'connectors/sandbox'],
};

/** Folders beside src/ whose code runs in a browser or at a consumer. They import neither src/ nor each other. */
const separateFolders = ['client', 'widget', 'dashboard'];

/** The sandbox bank, which the service also shows to developers. */
const otherFolders = [...separateFolders, 'connectors/sandbox'];

/** The connectors, and which others each may import. None imports src/. */
const connectors = {
  kit: [],
  statements: [],
  fints: ['statements'],
  simplefin: [],
  'enable-banking': [],
  sandbox: [],
};

/** The files of src/ that may import a package. A package that is not named may be imported everywhere. */
const packages = {
  'prom-client': ['operations/signals/'],
  '@opentelemetry': ['platform/telemetry/'],
  pino: ['platform/telemetry/'],
  knex: ['platform/db/', '[^/]+/[^/]+/store[.]ts$', 'domain/institutions/sandbox/store[.]ts$'],
  'better-sqlite3': ['platform/db/', 'operations/backup/sqliteBackup[.]ts$'],
  pg: ['platform/db/'],
  express: ['interfaces/(http|demo)/'],
  'express-openapi-validator': ['interfaces/http/'],
  commander: ['main[.]ts$', 'interfaces/commands/'],
  jose: ['domain/applications/'],
  '@simplewebauthn/server': ['domain/members/passkeys[.]ts$'],
  'openid-client': ['domain/members/oidc[.]ts$'],
  'sodium-native': ['platform/vault/', 'flows/read/cursor[.]ts$'],
};

const names = Object.keys(districts);
const folders = names.flatMap((district) =>
  Object.keys(districts[district]).map((name) => `${district}/${name}`),
);

for (const [district, table] of Object.entries(districts)) {
  const inside = Object.keys(table);
  for (const [index, name] of inside.entries()) {
    const later = table[name].find((other) => !inside.slice(0, index).includes(other));
    if (later)
      throw new Error(
        `${district}/${name} may not import ${later}, which the table does not name before it.`,
      );
  }
}

/** Matches the files of a district, a folder or one file. Nested folders that the table names are not part of their parent. */
const pathOf = (name) => {
  if (otherFolders.includes(name)) return `^${name}/`;
  if (name in topFiles) return `^src/${name.replace('.', '[.]')}$`;
  const nested = folders.includes(name) ? folders.filter((other) => other.startsWith(`${name}/`)) : [];
  const except = nested.map((other) => `(?!${other.slice(name.length + 1)}/)`).join('');
  return `^src/${name}/${except}`;
};

/** The districts from the lowest to the one that is named. */
const upTo = (district) => names.slice(0, names.indexOf(district) + 1);

/** The kit for writing connectors. All of src/ may import it. */
const kit = '^connectors/kit/';

const own = '^(src|connectors|widget|dashboard|client|bench|examples|scripts|test)/';

const mayImport = {
  ...Object.fromEntries(
    Object.entries(districts).flatMap(([district, table]) =>
      Object.entries(table).map(([name, others]) => [
        `${district}/${name}`,
        [
          ...[name, ...others].map((other) => `${district}/${other}`),
          ...upTo(district).slice(0, -1),
          ...(district === 'interfaces' ? ['service.ts'] : []),
        ],
      ]),
    ),
  ),
  'service.ts': ['service.ts', ...upTo('operations')],
  'main.ts': ['service.ts', ...upTo('interfaces')],
};

const folderRules = Object.entries(mayImport).map(([name, others]) => ({
  name: `folder-${name.replaceAll('/', '-')}`,
  comment: `src/${name} may import only what .dependency-cruiser.mjs allows.`,
  severity: 'error',
  from: { path: pathOf(name) },
  to: { path: own, pathNot: [...[...others, ...(outside[name] ?? [])].map(pathOf), kit] },
}));

/** Imports that a folder may not have although its district may. `reachable` also finds an import through other files. */
const narrowRules = [
  {
    name: 'http-without-database',
    comment:
      'Requests come through here, and cannot query the database except through the folders of the nouns.',
    severity: 'error',
    from: { path: '^src/interfaces/http/' },
    to: { path: '^src/(platform/db|operations/(retention|backup))/' },
  },
  {
    name: 'demo',
    comment: 'Has no access to the service: a consumer like any other.',
    severity: 'error',
    from: { path: '^src/interfaces/demo/' },
    to: { path: '^src/', pathNot: '^src/(interfaces/demo|platform/(values|settings|loops))/' },
  },
  {
    name: 'worker-out-of-reach',
    comment:
      'What the internet reaches opens nothing that is sealed to the worker, and starts none of its work.',
    severity: 'error',
    from: { path: '^src/(flows/(link|read|simplefin)|interfaces/http)/' },
    to: {
      path: '^src/(platform/vault/workerBoxes[.]ts|flows/(import|merge|refresh)/|operations/secrets/|service[.]ts)',
      reachable: true,
    },
  },
  {
    name: 'end-user-keys',
    comment: 'Only reading and the SimpleFIN server open what a scoped token opens.',
    severity: 'error',
    from: { path: '^src/', pathNot: '^src/flows/(read|simplefin)/' },
    to: { path: '^src/platform/vault/endUserKeys[.]ts$' },
  },
  {
    name: 'end-user-keys-of-worker',
    comment: 'What the worker does reaches nothing that opens what a scoped token opens.',
    severity: 'error',
    from: { path: '^src/(flows/(merge|refresh|link|import)|operations/retention)/' },
    to: { path: '^src/(platform/vault/endUserKeys[.]ts$|flows/read/)', reachable: true },
  },
];

const packageRules = Object.entries(packages).map(([name, files]) => ({
  name: `package-${name.replaceAll('/', '-')}`,
  comment: `${name} is used only by src/${files.join(', src/')}.`,
  severity: 'error',
  from: { path: '^src/', pathNot: files.map((file) => `^src/${file}`) },
  to: { path: `node_modules/(@types/)?${name}/` },
}));

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
      comment:
        'Each folder and file at the top of src/ and of a district needs an entry in .dependency-cruiser.mjs.',
      severity: 'error',
      from: { path: '^src/', pathNot: Object.keys(mayImport).map(pathOf) },
      to: {},
    },
    ...folderRules,
    ...narrowRules,
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
    // The builds of the packages.
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
