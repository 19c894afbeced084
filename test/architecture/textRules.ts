// Rules about the text of files that no tool provides. Each returns one sentence per violation.
import { createHash } from 'node:crypto';
import type { Sources } from './sources.ts';

const headerLinesMax = 8;
/** A file of at most this length needs no header. */
const shortFileLines = 15;

const isCode = (path: string): boolean =>
  /\.([jt]sx?|mjs|css|html)$/.test(path) && !path.startsWith('generated/');
const isTypeScript = (path: string): boolean => /\.tsx?$/.test(path) && !path.startsWith('generated/');

/** The violations of a rule about single lines. */
const perLine = (
  sources: Sources,
  applies: (path: string) => boolean,
  violationOf: (line: string) => string | undefined,
): string[] =>
  [...sources]
    .filter(([path]) => applies(path))
    .flatMap(([path, text]) =>
      text.split('\n').flatMap((line, index) => {
        const violation = violationOf(line);
        return violation ? [`${path}:${index + 1} ${violation}`] : [];
      }),
    );

/** A file starts with a short comment on what it does. */
export const missingHeaders = (sources: Sources): string[] =>
  [...sources]
    .filter(([path]) => isTypeScript(path))
    .flatMap(([path, text]) => {
      const lines = text.replace(/^#!.*\n/, '').split('\n');
      const header = lines.findIndex((line) => !/^(\/\/|\/\*| \*)/.test(line));
      if (header === 0 && lines.length > shortFileLines) return [`${path} has no comment at its start`];
      return header > headerLinesMax ? [`${path} starts with a comment of ${header} lines`] : [];
    });

/** Each setting, limit and tunable is used by name outside of the tables. */
export const unreadSettings = (sources: Sources): string[] => {
  const isTable = (path: string) => /^src\/platform\/settings\/(table|tunables)\.ts$/.test(path);
  const files = [...sources].filter(([path]) => path.startsWith('src/'));
  const words = new Set(files.filter(([path]) => !isTable(path)).flatMap(([, text]) => text.match(/\w+/g)));
  return files
    .filter(([path]) => isTable(path))
    .flatMap(([path, text]) =>
      [...text.matchAll(/^ {2}([a-z]\w+): /gm)].flatMap(([, name]) =>
        words.has(name!) ? [] : [`${path} has ${name}, which nothing reads`],
      ),
    );
};

export const unfinishedCode = (sources: Sources): string[] =>
  perLine(sources, isCode, (line) =>
    /\b(TODO|FIXME|XXX)\b/.test(line) && !line.includes('(TODO|FIXME|XXX)') ? 'is unfinished' : undefined,
  );

/** Tests must run against the real modules. */
export const mockedModules = (sources: Sources): string[] =>
  perLine(
    sources,
    (path) => path.startsWith('test/'),
    (line) => (/\bvi\.(mock|doMock|hoisted)\(/.test(line) ? 'mocks a module' : undefined),
  );

/** A wait in a test needs its own time limit, because the default is one second; or `expect.poll`, which waits for 30 s. */
export const shortWaits = (sources: Sources): string[] =>
  [...sources]
    .filter(([path]) => isTypeScript(path))
    .flatMap(([path, text]) =>
      [...text.matchAll(/\bvi\.wait(Until|For)\(/g)].flatMap(({ index, 0: { length } }) => {
        const hasLimit = /timeout|, [\d_]+$/.test(argumentsAt(text, index + length));
        const line = text.slice(0, index).split('\n').length;
        return hasLimit ? [] : [`${path}:${line} waits for one second`];
      }),
    );

/** The text from here to the closing parenthesis. */
const argumentsAt = (text: string, start: number): string => {
  let end = start;
  for (let open = 1; open > 0 && end < text.length; end++) {
    if (text[end] === '(') open += 1;
    if (text[end] === ')') open -= 1;
  }
  return text.slice(start, end - 1);
};

/** A document has one title. Headings in code blocks do not count. */
export const wrongTitleCounts = (sources: Sources): string[] =>
  [...sources]
    .filter(([path]) => path.endsWith('.md'))
    .flatMap(([path, text]) => {
      const prose = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '');
      const count = prose.match(/^# \S/gm)?.length ?? 0;
      return count === 1 ? [] : [`${path} has ${count} titles`];
    });

const forbiddenPatterns = [
  { pattern: /(^|[\s"'`(=:])\/(home|Users|work|root|tmp)\/\w/, violation: 'names a path of a machine' },
  { pattern: /\/\/(registry|npm)\.[\w-]+\./, violation: 'names a package registry' },
];

// Names of products that write text, hashed so that this list does not contain them.
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

/** No file mentions a machine's paths, a package registry or a forbidden word. */
export const forbiddenMentions = (sources: Sources): string[] => {
  const checkedWords = new Map<string, boolean>();
  const isForbidden = (word: string): boolean => {
    if (!checkedWords.has(word)) checkedWords.set(word, isForbiddenWord(word));
    return checkedWords.get(word)!;
  };
  return perLine(
    sources,
    // The bytes of an image can contain any word.
    (path) => path !== 'package-lock.json' && !/\.(png|webp)$/.test(path),
    (line) => {
      const found = forbiddenPatterns.find(({ pattern }) => pattern.test(line));
      if (found) return found.violation;
      // A standard defines the name of this file.
      const words = line.replaceAll('llms.txt', '').match(/[A-Za-z]{3,}/g);
      return words?.some(isForbidden) ? 'contains a forbidden word' : undefined;
    },
  );
};

/** npm scripts run on the project's own Node, and the lock file contains no registry. */
export const packageFileErrors = (sources: Sources): string[] => {
  const { scripts = {} }: { scripts?: Record<string, string> } = JSON.parse(
    sources.get('package.json') ?? '{}',
  );
  const commands = Object.entries(scripts).flatMap(([name, line]) =>
    line.split('&&').map((command) => ({ name, command: command.trim().replace(/^([A-Z_]+=\S+\s+)+/, '') })),
  );
  return [
    ...commands
      .filter(({ command }) => !/^((exec )?scripts\/(on-node24|bank-connection)|npm|mkdir) /.test(command))
      .map(({ name, command }) => `package.json: "${name}" runs "${command}" without scripts/on-node24`),
    ...perLine(
      sources,
      (path) => path === 'package-lock.json',
      (line) => (/"resolved": "\w+:|https?:\/\/registry/.test(line) ? 'names a registry' : undefined),
    ),
  ];
};
