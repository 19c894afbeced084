// The rules over the plan. Each gives the sentences that say what is wrong; none is what a tidy house gives.
import {
  vagueNames,
  entryPoints,
  separatePackages,
  packageUsers,
  requestTypeUsers,
  modules,
  topLevelFiles,
} from './allowedImports.ts';
import { importsOf, type Sources } from './sources.ts';

/** The room of a file: `accounts`, `base`, `main`, an island such as `client`, or undefined for all else. */
export const moduleOf = (path: string): string | undefined => {
  if (path.startsWith('src/connectors/sandbox/storage/')) return 'sandboxStorage';
  const [top, room, ...rest] = path.split('/');
  if (top !== 'src') return top !== undefined && separatePackages.includes(top) ? top : undefined;
  return rest.length > 0 ? room : (topLevelFiles[path] ?? 'base');
};

const mayImport = (from: string, to: string): boolean => {
  const here = moduleOf(from);
  const there = moduleOf(to);
  if (here === there || to.startsWith('generated/')) return true;
  if (here === undefined || there === undefined) return false;
  const allowed = modules[here]?.mayImport ?? [];
  return there === 'base'
    ? here in modules
    : allowed.includes(there) || allowed.includes(to.replace('src/', ''));
};

/** Imports that the table of rooms does not allow. */
export const forbiddenImports = (sources: Sources): string[] =>
  importsOf(sources)
    .filter(({ from, to, isFile }) => isFile && moduleOf(from) !== undefined && !mayImport(from, to))
    .map(({ from, to }) => `${from} may not import ${to}`);

/** Rooms that the table does not know. */
export const unknownModules = (sources: Sources): string[] => {
  const present = new Set([...sources.keys()].map(moduleOf).filter((room) => room !== undefined));
  const unknown = [...present].filter((room) => !(room in modules) && !separatePackages.includes(room));
  return unknown.map((room) => `src/${room} is a room that the plan does not know`);
};

/** Packages named outside of their home. */
export const misplacedPackages = (sources: Sources): string[] =>
  importsOf(sources)
    .filter(({ isFile }) => !isFile)
    .filter(({ from, to }) => {
      const homes = packageUsers[packageName(to)];
      return from.startsWith('src/') && homes && !homes.some((home) => home.test(from));
    })
    .map(({ from, to }) => `${from} may not import ${to}`);

const packageName = (specifier: string): string =>
  specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/** Files outside of http/ that name the types of requests. */
export const misplacedRequestTypes = (sources: Sources): string[] =>
  [...sources]
    .filter(([path]) => moduleOf(path) !== undefined && !requestTypeUsers.some((home) => home.test(path)))
    .filter(([, text]) => /import[^;]*\b(operations|paths)\b[^;]*from\s*'[^']*generated\//.test(text))
    .map(([path]) => `${path} names the types of requests, which are for src/http alone`);

/** Groups of files that import each other in a circle, type imports included. */
export const importCycles = (sources: Sources): string[] => {
  const edges = new Map<string, string[]>();
  for (const { from, to } of importsOf(sources)) {
    if (sources.has(to)) edges.set(from, [...(edges.get(from) ?? []), to]);
  }
  return stronglyConnected([...sources.keys()], (file) => edges.get(file) ?? [])
    .filter((group) => group.length > 1 || edges.get(group[0]!)?.includes(group[0]!))
    .map((group) => `these import each other: ${group.sort().join(', ')}`);
};

/** Tarjan's algorithm: the groups in which every node reaches every other. */
const stronglyConnected = (nodes: string[], next: (node: string) => string[]): string[][] => {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const groups: string[][] = [];
  const visit = (node: string): void => {
    order.set(node, order.size);
    lowest.set(node, order.get(node)!);
    stack.push(node);
    for (const other of next(node)) {
      if (!order.has(other)) visit(other);
      if (stack.includes(other)) lowest.set(node, Math.min(lowest.get(node)!, lowest.get(other)!));
    }
    if (lowest.get(node) === order.get(node)) groups.push(stack.splice(stack.indexOf(node)));
  };
  for (const node of nodes) if (!order.has(node)) visit(node);
  return groups;
};

/** Barrels in src/, and files or folders whose name says nothing. */
export const badFileNames = (sources: Sources): string[] =>
  [...sources.keys()].flatMap((path) => {
    const words = path.split('/').map((part) => part.replace(/\..*$/, '').toLowerCase());
    const shelf = words.find((word) => vagueNames.includes(word));
    const barrel = path.startsWith('src/') && /\/index\.[jt]sx?$/.test(path);
    return [
      ...(shelf ? [`${path}: "${shelf}" says nothing about what is there`] : []),
      ...(barrel ? [`${path}: import from the file that owns the name, not from an index`] : []),
    ];
  });

/** Files of src/ that cannot be reached from the entrances. */
export const unusedFiles = (sources: Sources): string[] => {
  const imports = importsOf(sources);
  const reached = new Set(entryPoints);
  for (const file of reached) {
    for (const { from, to } of imports) if (from === file) reached.add(to);
  }
  return [...sources.keys()]
    .filter((path) => path.startsWith('src/') && /\.tsx?$/.test(path) && !reached.has(path))
    .map((path) => `${path} is imported by nobody`);
};

/** The table itself goes one way: no room may, over others, import itself. */
export const moduleCycles = (): string[] =>
  stronglyConnected(Object.keys(modules), (room) =>
    [...(modules[room]?.mayImport ?? [])].filter((to) => to in modules),
  )
    .filter((group) => group.length > 1)
    .map((group) => `the plan lets these rooms import each other: ${group.join(', ')}`);
