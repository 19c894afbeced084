// What a reader may expect of every file, after the idea of TigerBeetle's tidy.zig. Each rule gives the sentences
// that say what is wrong; none is what a tidy project gives.
import { createHash } from 'node:crypto';
import ts from 'typescript';
import type { Sources } from './sources.ts';

const columnsMax = 120;
const functionLinesMax = 70;
const headerLinesMax = 8;
const shortFileLines = 15;

const isCode = (path: string): boolean =>
  /\.([jt]sx?|mjs|css|html)$/.test(path) && !path.startsWith('generated/');
const isTypeScript = (path: string): boolean => /\.tsx?$/.test(path) && !path.startsWith('generated/');
const isTest = (path: string): boolean => path.startsWith('test/') || /\.test\.tsx?$/.test(path);

/** One sentence for each line of the chosen files in which something is found. */
const perLine = (
  sources: Sources,
  chosen: (path: string) => boolean,
  found: (line: string) => string | undefined,
): string[] =>
  [...sources]
    .filter(([path]) => chosen(path))
    .flatMap(([path, text]) =>
      text.split('\n').flatMap((line, at) => {
        const problem = found(line);
        return problem ? [`${path}:${at + 1} ${problem}`] : [];
      }),
    );

/** A line that is nothing but one text may be as long as the text is: breaking it would not help anybody. */
const isStringLiteral = (line: string): boolean =>
  /^\s*([\w.]+(: | = )|return |\? |: )?(['"`]).*\3\)?[,;]?$/.test(line);

export const longLines = (sources: Sources): string[] =>
  perLine(sources, isCode, (line) => {
    const columns = [...line].length;
    return columns > columnsMax && !isStringLiteral(line) ? `has ${columns} columns` : undefined;
  });

/** Functions that do not fit on a screen. What lists tests is a chapter, not a function. */
export const longFunctions = (sources: Sources): string[] =>
  [...sources].flatMap(([path, text]) => {
    if (!isCode(path) || /\.(css|html)$/.test(path)) return [];
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1;
    const long: string[] = [];
    const visit = (node: ts.Node): void => {
      const [first, last] = [lineOf(node.getStart(file)), lineOf(node.end)];
      if (ts.isFunctionLike(node) && last - first >= functionLinesMax && !isTestGroup(node)) {
        long.push(`${path}:${first} is a function of ${last - first + 1} lines`);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
    return long;
  });

const isTestGroup = (node: ts.SignatureDeclaration): boolean =>
  (ts.isCallExpression(node.parent) && /^describe\w*$/.test(node.parent.expression.getText())) ||
  containsTests(node);

/** A function that lists tests is a chapter by another name; each of its tests is measured by itself. */
const containsTests = (node: ts.SignatureDeclaration): boolean => {
  const body = 'body' in node ? node.body : undefined;
  if (!body || !ts.isBlock(body)) return false;
  return body.statements.some(
    (line) => ts.isExpressionStatement(line) && /^(test|describe)(\.each)?\W/.test(line.getText()),
  );
};

/** A file opens with why it exists, briefly; one that is seen whole at a glance may leave it to its name. */
export const missingHeaders = (sources: Sources): string[] =>
  [...sources]
    .filter(([path]) => isTypeScript(path))
    .flatMap(([path, text]) => {
      const lines = text.replace(/^#!.*\n/, '').split('\n');
      const head = lines.findIndex((line) => !/^(\/\/|\/\*| \*)/.test(line));
      if (head === 0 && lines.length > shortFileLines) return [`${path} does not say why it exists`];
      return head > headerLinesMax ? [`${path} needs ${head} lines to say why it exists`] : [];
    });

/** Printing is for programs that a person runs; the service writes its log. */
export const printingOutsideLog = (sources: Sources): string[] =>
  perLine(
    sources,
    (path) => path.startsWith('src/') && !path.startsWith('src/commands/') && path !== 'src/main.ts',
    (line) => (/\bconsole\.\w+\(/.test(line) ? 'prints past the log' : undefined),
  );

/** Settings have one home. */
export const environmentOutsideConfig = (sources: Sources): string[] =>
  perLine(
    sources,
    (path) => path.startsWith('src/') && path !== 'src/config.ts' && path !== 'src/main.ts',
    (line) => (/\bprocess\.env\b/.test(line) ? 'reads the environment past config.ts' : undefined),
  );

export const unfinishedCode = (sources: Sources): string[] =>
  perLine(sources, isCode, (line) =>
    /\b(TODO|FIXME|XXX)\b/.test(line) && !line.includes('(TODO|FIXME|XXX)')
      ? 'is left unfinished'
      : undefined,
  );

/** A test that does not run, or that runs alone, or that replaces our own modules, proves nothing. */
export const ineffectiveTests = (sources: Sources): string[] => [
  ...perLine(sources, isTest, (line) =>
    /\b(test|it|describe)\.(skip|only|todo|fails|skipIf)\b/.test(line)
      ? 'is a test that does not run'
      : undefined,
  ),
  ...perLine(sources, isTest, (line) =>
    /\bvi\.(mock|doMock|hoisted)\(/.test(line) ? 'replaces a module of our own' : undefined,
  ),
];

/** Headings in code blocks are not headings. */
export const wrongTitleCounts = (sources: Sources): string[] =>
  [...sources]
    .filter(([path]) => path.endsWith('.md'))
    .flatMap(([path, text]) => {
      const prose = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '');
      const count = prose.match(/^# \S/gm)?.length ?? 0;
      return count === 1 ? [] : [`${path} has ${count} titles`];
    });

const hostPaths = [
  { pattern: /(^|[\s"'`(=:])\/(home|Users|work|root|tmp)\/\w/, says: 'names a place on somebody’s machine' },
  { pattern: /\/\/(registry|npm)\.[\w-]+\./, says: 'names a package registry' },
];

// By their fingerprints, so that this list does not say what nothing may say: names of products that write text.
const forbiddenWordHashes = new Set([
  'c857d09db23e',
  'c70eca6b0f88',
  '7d3194f79e64',
  '60965168ce76',
  '3ea125d0bff3',
  '5d72436256ad',
  '487b91042c7c',
  'de2187af3fb0',
  '053ea4804ef1',
  '57de4cf40144',
  '94a168d2da57',
  'd298391b0743',
]);

const isForbiddenWord = (word: string): boolean =>
  forbiddenWordHashes.has(createHash('sha256').update(word.toLowerCase()).digest('hex').slice(0, 12));

/** The project speaks of itself only: not of a machine it was once on, nor of the tools at hand there. */
export const forbiddenMentions = (sources: Sources): string[] => {
  const known = new Map<string, boolean>();
  const wordIsUnsaid = (word: string): boolean => {
    if (!known.has(word)) known.set(word, isForbiddenWord(word));
    return known.get(word)!;
  };
  return perLine(
    sources,
    // A picture's bytes spell words by chance.
    (path) => path !== 'package-lock.json' && !path.endsWith('.png'),
    (line) => {
      const place = hostPaths.find(({ pattern }) => pattern.test(line));
      if (place) return place.says;
      return line.match(/[A-Za-z]{3,}/g)?.some(wordIsUnsaid)
        ? 'speaks of something other than the project'
        : undefined;
    },
  );
};

/** Scripts run on the Node that the project brings, and the lock file works with any registry. */
export const packageFileErrors = (sources: Sources): string[] => {
  const { scripts = {} } = JSON.parse(sources.get('package.json') ?? '{}') as {
    scripts?: Record<string, string>;
  };
  const commands = Object.entries(scripts).flatMap(([name, line]) =>
    line.split('&&').map((command) => ({ name, command: command.trim().replace(/^([A-Z_]+=\S+\s+)+/, '') })),
  );
  return [
    ...commands
      .filter(({ command }) => !/^(scripts\/on-node24|npm) /.test(command))
      .map(({ name, command }) => `package.json: "${name}" runs "${command}" on whatever Node the host has`),
    ...perLine(
      sources,
      (path) => path === 'package-lock.json',
      (line) => (/"resolved"|https?:\/\/registry/.test(line) ? 'names a registry' : undefined),
    ),
  ];
};
