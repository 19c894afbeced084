// The rules over the plan. Each gives the sentences that say what is wrong; none is what a tidy house gives.
import { emptyNames, entrances, islands, packages, requestTypes, rooms, topFiles } from './plan.ts';
import { importsOf, type Sources } from './sources.ts';

/** The room of a file: `accounts`, `base`, `main`, an island such as `client`, or undefined for all else. */
export const roomOf = (path: string): string | undefined => {
  const [top, room, ...rest] = path.split('/');
  if (top !== 'src') return top !== undefined && islands.includes(top) ? top : undefined;
  return rest.length > 0 ? room : (topFiles[path] ?? 'base');
};

const mayImport = (from: string, to: string): boolean => {
  const here = roomOf(from);
  const there = roomOf(to);
  if (here === there || to.startsWith('generated/')) return true;
  if (here === undefined || there === undefined) return false;
  const allowed = rooms[here]?.mayImport ?? [];
  return there === 'base'
    ? here in rooms
    : allowed.includes(there) || allowed.includes(to.replace('src/', ''));
};

/** Imports that the table of rooms does not allow. */
export const climbing = (sources: Sources): string[] =>
  importsOf(sources)
    .filter(({ from, to, isFile }) => isFile && roomOf(from) !== undefined && !mayImport(from, to))
    .map(({ from, to }) => `${from} may not import ${to}`);

/** Rooms that the table does not know. */
export const unplanned = (sources: Sources): string[] => {
  const present = new Set([...sources.keys()].map(roomOf).filter((room) => room !== undefined));
  const unknown = [...present].filter((room) => !(room in rooms) && !islands.includes(room));
  return unknown.map((room) => `src/${room} is a room that the plan does not know`);
};

/** Packages named outside of their home. */
export const strayPackages = (sources: Sources): string[] =>
  importsOf(sources)
    .filter(({ isFile }) => !isFile)
    .filter(({ from, to }) => {
      const homes = packages[packageName(to)];
      return from.startsWith('src/') && homes && !homes.some((home) => home.test(from));
    })
    .map(({ from, to }) => `${from} may not import ${to}`);

const packageName = (specifier: string): string =>
  specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/** Files outside of http/ that name the types of requests. */
export const strayRequestTypes = (sources: Sources): string[] =>
  [...sources]
    .filter(([path]) => roomOf(path) !== undefined && !requestTypes.some((home) => home.test(path)))
    .filter(([, text]) => /import[^;]*\b(operations|paths)\b[^;]*from\s*'[^']*generated\//.test(text))
    .map(([path]) => `${path} names the types of requests, which are for src/http alone`);

/** Groups of files that import each other in a circle, type imports included. */
export const circles = (sources: Sources): string[] => {
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
export const badNames = (sources: Sources): string[] =>
  [...sources.keys()].flatMap((path) => {
    const words = path.split('/').map((part) => part.replace(/\..*$/, '').toLowerCase());
    const shelf = words.find((word) => emptyNames.includes(word));
    const barrel = path.startsWith('src/') && /\/index\.[jt]sx?$/.test(path);
    return [
      ...(shelf ? [`${path}: "${shelf}" says nothing about what is there`] : []),
      ...(barrel ? [`${path}: import from the file that owns the name, not from an index`] : []),
    ];
  });

/** Files of src/ that cannot be reached from the entrances. */
export const unused = (sources: Sources): string[] => {
  const imports = importsOf(sources);
  const reached = new Set(entrances);
  for (const file of reached) {
    for (const { from, to } of imports) if (from === file) reached.add(to);
  }
  return [...sources.keys()]
    .filter((path) => path.startsWith('src/') && /\.tsx?$/.test(path) && !reached.has(path))
    .map((path) => `${path} is imported by nobody`);
};

/** The table itself goes one way: no room may, over others, import itself. */
export const planCircles = (): string[] =>
  stronglyConnected(Object.keys(rooms), (room) =>
    [...(rooms[room]?.mayImport ?? [])].filter((to) => to in rooms),
  )
    .filter((group) => group.length > 1)
    .map((group) => `the plan lets these rooms import each other: ${group.join(', ')}`);
