// What a reader may expect of every file. Each rule is first shown a made-up project that breaks it.
import { describe, expect, test } from 'vitest';
import { readSources, type Sources } from './sources.ts';
import {
  ineffectiveTests,
  forbiddenMentions,
  longFunctions,
  longLines,
  missingHeaders,
  packageFileErrors,
  environmentOutsideConfig,
  printingOutsideLog,
  wrongTitleCounts,
  unfinishedCode,
} from './styleRules.ts';

const projectSources = readSources([''], ['']);

// The breaking lines are put together here, so that this file does not break the rules itself.
const lines = (count: number): string => '  count += 1;\n'.repeat(count);
const skipped = ['test', 'skip'].join('.');

type Rule = {
  name: string;
  rule(sources: Sources): string[];
  violating: Record<string, string>;
  messages: string[];
};

const rules: Rule[] = [
  {
    name: 'lines have at most 120 columns',
    rule: longLines,
    violating: {
      'src/a.ts': `// ${'é'.repeat(117)}\n// ${'x'.repeat(118)}\n  title: '${'x'.repeat(200)}',`,
      'generated/api.ts': 'x'.repeat(500),
    },
    messages: ['src/a.ts:2 has 121 columns'],
  },
  {
    name: 'functions have at most 70 lines',
    rule: longFunctions,
    violating: {
      'src/a.ts': `let count = 0;\nconst long = () => {\n${lines(69)}};\nconst fits = () => {\n${lines(68)}};\n`,
      'test/a.test.ts': `describe('chapter', () => {\n${lines(200)}});\ntest('long', () => {\n${lines(69)}});\n`,
    },
    messages: ['src/a.ts:2 is a function of 71 lines', 'test/a.test.ts:203 is a function of 71 lines'],
  },
  {
    name: 'every file opens with why it exists',
    rule: missingHeaders,
    violating: {
      'src/a.ts': `import a from 'a';\n${lines(30)}`,
      'src/short.ts': "export { a } from 'a';",
      'src/b.ts': '// Why.\nimport a from "a";',
      'scripts/c.ts': '#!/usr/bin/env node\n// Why.\nexport const c = 1;',
      'src/d.ts': `${'// and so on\n'.repeat(9)}export const d = 1;`,
    },
    messages: ['src/a.ts does not say why it exists', 'src/d.ts needs 9 lines to say why it exists'],
  },
  {
    name: 'the service does not print past its log',
    rule: printingOutsideLog,
    violating: {
      'src/refresh/worker.ts': '// Why.\nconsole.log(1);',
      'src/commands/serve.ts': 'console.log(1);',
      'src/main.ts': 'console.error(1);',
      'bench/run.ts': 'console.log(1);',
    },
    messages: ['src/refresh/worker.ts:2 prints past the log'],
  },
  {
    name: 'settings are read in one place',
    rule: environmentOutsideConfig,
    violating: { 'src/http/app.ts': 'const port = process.env.PORT;', 'src/config.ts': 'process.env.PORT' },
    messages: ['src/http/app.ts:1 reads the environment past config.ts'],
  },
  {
    name: 'nothing is left unfinished',
    rule: unfinishedCode,
    violating: { 'src/a.ts': `// ${'TO'}DO: finish this` },
    messages: ['src/a.ts:1 is left unfinished'],
  },
  {
    name: 'every test runs, on our own modules',
    rule: ineffectiveTests,
    violating: {
      'test/a.test.ts': `${skipped}('later', () => {});\n${'vi.'}mock('../src/a.ts');`,
      'src/a.ts': skipped,
    },
    messages: [
      'test/a.test.ts:1 is a test that does not run',
      'test/a.test.ts:2 replaces a module of our own',
    ],
  },
  {
    name: 'a page of documentation has one title',
    rule: wrongTitleCounts,
    violating: {
      'docs/fine.md': '# Fine\n\n```sh\n# a comment\n```\n\n## Part\n',
      'docs/two.md': '# One\n\n# Two\n',
      'docs/none.md': 'Text\n',
    },
    messages: ['docs/two.md has 2 titles', 'docs/none.md has 0 titles'],
  },
  {
    name: 'the project speaks of itself only',
    rule: forbiddenMentions,
    violating: {
      'docs/a.md': `Look in ${'/ho'}me/somebody/project.\nUse https://${'regis'}try.example.com/.`,
      'docs/b.md': `Written with Chat${'GP'}T.`,
      'docs/fine.md': 'OpenAPI, sessions, a route /work, `data/secrets`, the registry.',
    },
    messages: [
      'docs/a.md:1 names a place on somebody’s machine',
      'docs/a.md:2 names a package registry',
      'docs/b.md:1 speaks of something other than the project',
    ],
  },
  {
    name: 'scripts run on the Node that the project brings, and the lock file names no registry',
    rule: packageFileErrors,
    violating: {
      'package.json': JSON.stringify({
        scripts: {
          good: 'A=1 scripts/on-node24 vitest && npm run check',
          bad: 'npm run x && node src/main.ts',
        },
      }),
      'package-lock.json': '{\n  "resolved": "somewhere"\n}',
    },
    messages: [
      'package.json: "bad" runs "node src/main.ts" on whatever Node the host has',
      'package-lock.json:2 names a registry',
    ],
  },
];

for (const { name, rule, violating, messages } of rules) {
  describe(name, () => {
    test('a project that breaks the rule is caught', () => {
      expect(rule(new Map(Object.entries(violating)))).toEqual(messages);
    });

    test('ours keeps it', () => {
      expect(rule(projectSources)).toEqual([]);
    });
  });
}

test('the project was really read', () => {
  for (const path of ['package.json', 'src/errors.ts', 'test/tidy.test.ts'])
    expect([...projectSources.keys()]).toContain(path);
});
