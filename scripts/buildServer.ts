// The service as an npm package, in server/dist: the folders of this repository with JavaScript instead of TypeScript, because
// Node.js strips no types below node_modules. Line numbers stay the same.
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';

const modules = ['src/**/*.ts', 'connectors/*/*.ts', 'client/*.ts', 'generated/*.ts'];
const assets = [
  'src/**/*.{js,css,html,svg,ico,yaml}',
  'connectors/*/{*.yaml,logos/*}',
  '{.,widget,management}/openapi.yaml',
  'examples/{html,react}/*.{ts,tsx,html}',
  'dist/{widget,dashboard,reference}/**/*.*',
  'LICENSE',
];

/** All sources of the package. */
export const serverSources = [...modules, ...assets, 'server/*', '{.,connectors/*}/package.json'];

type Manifest = Record<string, unknown> & Record<'dependencies' | 'optionalDependencies', Versions>;
type Versions = Record<string, string>;

export const buildServer = (root: string): void => {
  const target = join(root, 'server/dist');
  rmSync(target, { recursive: true, force: true });
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), text);
  };
  for (const path of globSync(modules, { cwd: root, exclude: ['**/conformance.ts'] }))
    write(path.replace(/ts$/, 'js'), toJavaScript(readFileSync(join(root, path), 'utf8'), path));
  for (const path of globSync(assets, { cwd: root }))
    if (statSync(join(root, path)).isFile()) cpSync(join(root, path), join(target, path));
  for (const file of ['bank-connection.cjs', 'README.md'])
    cpSync(join(root, 'server', file), join(target, file));
  write('package.json', `${JSON.stringify(publishedManifest(root), null, 2)}\n`);
};

/** Connectors import each other and the kit by package name; here, these names resolve to folders next to them. */
const toJavaScript = (source: string, path: string): string =>
  stripTypeScriptTypes(source)
    .replace(/(['`]\.\.?\/[^'`\n]*)\.ts(?=['`])/g, '$1.js')
    .replace(
      /'@bank-connection\/connector-([a-z-]+)'/g,
      (_, name: string) => `'${relative(dirname(path), 'connectors')}/${name}/index.js'`,
    );

/** Lists the dependencies of the service and its connectors. Node from npm is optional, because it takes 189 MB. */
const publishedManifest = (root: string): object => {
  const read = (path: string): Manifest => JSON.parse(readFileSync(join(root, path), 'utf8'));
  const { publishConfig, ...manifest } = read('server/package.json');
  const service = read('package.json');
  const needed = [service, ...globSync('connectors/*/package.json', { cwd: root }).sort().map(read)]
    .flatMap(({ dependencies = {} }) => Object.entries(dependencies))
    .filter(([name]) => !name.startsWith('@bank-connection/'));
  const nodes = service.optionalDependencies;
  const optional = Object.keys(nodes).map((name) => [name, { optional: true }]);
  return {
    ...manifest,
    publishConfig: { access: 'public', provenance: true },
    bin: { 'bank-connection': 'bank-connection.cjs' },
    dependencies: Object.fromEntries(needed.sort()),
    peerDependencies: nodes,
    peerDependenciesMeta: Object.fromEntries(optional),
  };
};
