// The text rules: each test runs them on files that violate them, and then on the repository.
import { describe, expect, test } from 'vitest';
import { sharedRecorders } from './sharedRecorders.ts';
import { readSources, type Sources } from './sources.ts';
import {
  forbiddenMentions,
  missingHeaders,
  mockedModules,
  packageFileErrors,
  shortWaits,
  unfinishedCode,
  unreadSettings,
  wrongTitleCounts,
} from './textRules.ts';

const repository = readSources([''], ['']);

// Texts that violate a rule are concatenated, so that this file does not violate it.
const lines = (count: number): string => '  count += 1;\n'.repeat(count);

type Rule = {
  name: string;
  rule(sources: Sources): string[];
  files: Record<string, string>;
  violations: string[];
};

const rules: Rule[] = [
  {
    name: 'files start with a short comment',
    rule: missingHeaders,
    files: {
      'src/a.ts': `import a from 'a';\n${lines(30)}`,
      'src/short.ts': "export { a } from 'a';",
      'src/b.ts': '// What it does.\nimport a from "a";',
      'scripts/c.ts': '#!/usr/bin/env node\n// What it does.\nexport const c = 1;',
      'src/d.ts': `${'// and so on\n'.repeat(9)}export const d = 1;`,
    },
    violations: ['src/a.ts has no comment at its start', 'src/d.ts starts with a comment of 9 lines'],
  },
  {
    name: 'no code is unfinished',
    rule: unfinishedCode,
    files: { 'src/a.ts': `// ${'TO'}DO: finish this` },
    violations: ['src/a.ts:1 is unfinished'],
  },
  {
    name: 'each setting is read',
    rule: unreadSettings,
    files: {
      'src/platform/settings/table.ts': '  port: define({\n    standard: 1,\n  spare: define({\n',
      'src/platform/settings/tunables.ts': '  pollMs: 500, // and pollMs again\n  waitMs: 5,\n',
      'src/a.ts': 'listen(config.port, limits.waitMs);',
      'test/a.test.ts': 'limits: { pollMs: 1 }',
    },
    violations: [
      'src/platform/settings/table.ts has spare, which nothing reads',
      'src/platform/settings/tunables.ts has pollMs, which nothing reads',
    ],
  },
  {
    name: 'tests mock no modules',
    rule: mockedModules,
    files: { 'test/a.test.ts': `${'vi.'}mock('../src/a.ts');`, 'src/a.ts': `${'vi.'}mock('x');` },
    violations: ['test/a.test.ts:1 mocks a module'],
  },
  {
    name: 'tests wait longer than one second',
    rule: shortWaits,
    files: {
      'test/a.test.ts': `await ${'vi.'}waitUntil(() => isDone(1));\nawait ${'vi.'}waitFor(check, 30_000);`,
      'test/b.test.ts': `await ${'vi.'}waitUntil(\n  async () => (await count()) === 1,\n  { timeout },\n);`,
    },
    violations: ['test/a.test.ts:1 waits for one second'],
  },
  {
    name: 'a fake bank records nothing in arrays that tests share',
    rule: sharedRecorders,
    files: {
      'test/a.test.ts': [
        'const logins = [];',
        'const bank = { reads: [] };',
        "describe('a', () => {",
        '  const calls: string[] = [];',
        '  const connector = {',
        '    signIn: async () => calls.push(1),',
        '    read: () => ({ end: async () => void bank.reads.push(1) }),',
        '    async accounts() { logins.push(1); },',
        '  };',
        '});',
      ].join('\n'),
      'test/b.test.ts': [
        'const callsOf = new Map();',
        'const calls = [];',
        "test('a', () => { const calls = []; calls.push(1); });",
        'const connector = { signIn: (user) => callsOf.get(user).push(1) };',
        'const makeBank = () => { const own = []; return { read: () => own.push(1) }; };',
      ].join('\n'),
    },
    violations: [6, 7, 8].map((line) => `test/a.test.ts:${line} records calls of all tests`),
  },
  {
    name: 'a document has one title',
    rule: wrongTitleCounts,
    files: {
      'docs/fine.md': '# Fine\n\n```sh\n# a comment\n```\n\n## Part\n',
      'docs/two.md': '# One\n\n# Two\n',
      'docs/none.md': 'Text\n',
    },
    violations: ['docs/two.md has 2 titles', 'docs/none.md has 0 titles'],
  },
  {
    name: 'no file names paths of a machine, registries or forbidden words',
    rule: forbiddenMentions,
    files: {
      'docs/a.md': `Look in ${'/ho'}me/somebody/project.\nUse https://${'regis'}try.example.com/.`,
      'docs/b.md': `Written with Chat${'GP'}T.`,
      'docs/fine.md': 'OpenAPI, sessions, a route /work, `data/secrets`, /llms.txt, the registry.',
    },
    violations: [
      'docs/a.md:1 names a path of a machine',
      'docs/a.md:2 names a package registry',
      'docs/b.md:1 contains a forbidden word',
    ],
  },
  {
    name: "npm scripts run on the project's own Node, and the lock file names no registry",
    rule: packageFileErrors,
    files: {
      'package.json': JSON.stringify({
        scripts: {
          good: 'A=1 scripts/on-node24 vitest && npm run check',
          bad: 'npm run x && node src/main.ts',
        },
      }),
      'package-lock.json': '{\n  "resolved": "https://example.com/a.tgz",\n  "resolved": "client"\n}',
    },
    violations: [
      'package.json: "bad" runs "node src/main.ts" without scripts/on-node24',
      'package-lock.json:2 names a registry',
    ],
  },
];

describe.each(rules)('$name', ({ rule, files, violations }) => {
  test('violations are found', () => {
    expect(rule(new Map(Object.entries(files)))).toEqual(violations);
  });

  test('the repository has none', () => {
    expect(rule(repository)).toEqual([]);
  });
});

test('the repository was read', () => {
  const files = ['package.json', 'src/platform/values/errors.ts', 'test/architecture/textRules.test.ts'];
  expect([...repository.keys()]).toEqual(expect.arrayContaining(files));
});
