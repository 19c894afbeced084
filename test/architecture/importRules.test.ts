// The house plan as a test: who may import whom, no circles, each package in its place, no file without a use.
// Every rule is first shown a made-up house that breaks it, because a rule that cannot fail guards nothing.
import { describe, expect, test } from 'vitest';
import {
  badFileNames,
  importCycles,
  forbiddenImports,
  moduleCycles,
  misplacedPackages,
  misplacedRequestTypes,
  unknownModules,
  unusedFiles,
} from './importRules.ts';
import { readSources, type Sources } from './sources.ts';

const projectSources = readSources(['src', 'widget', 'client', 'dashboard'], ['.ts', '.tsx', '.js']);

const sourcesOf = (files: Record<string, string>): Sources => new Map(Object.entries(files));

type Rule = {
  name: string;
  rule(sources: Sources): string[];
  violating: Record<string, string>;
  messages: string[];
};

const rules: Rule[] = [
  {
    name: 'a room imports only what the plan allows it',
    rule: forbiddenImports,
    violating: {
      'src/accounts/read.ts': "import { page } from '../transactions/page.ts';",
      'src/users/store.ts': "export type { Reader } from '../vault/reader.ts';",
      'src/http/api/getAccount.ts': "const later = () => import('../../db/open.ts');",
      'src/errors.ts': "import type { Config } from './vault/keys.ts';",
      'src/refresh/merge.ts': "import type { Bank } from '../banks/bank.ts';",
      'src/vault/keys.ts': "import { service } from '../service.ts';",
      'src/linking/start.ts': "import { createClient } from '../../client/index.ts';",
      'widget/page/App.tsx': "import { NotFound } from '../../src/errors.ts';",
      'client/index.ts': "import type { paths } from '../../generated/api.ts';",
    },
    messages: [
      'src/accounts/read.ts may not import src/transactions/page.ts',
      'src/http/api/getAccount.ts may not import src/db/open.ts',
      'src/errors.ts may not import src/vault/keys.ts',
      'src/vault/keys.ts may not import src/service.ts',
      'src/linking/start.ts may not import client/index.ts',
      'widget/page/App.tsx may not import src/errors.ts',
    ],
  },
  {
    name: 'every room stands in the plan',
    rule: unknownModules,
    violating: { 'src/cupboard/box.ts': '', 'src/users/store.ts': '', 'client/index.ts': '' },
    messages: ['src/cupboard is a room that the plan does not know'],
  },
  {
    name: 'a package is named only where it belongs',
    rule: misplacedPackages,
    violating: {
      'src/accounts/read.ts': "import type { Knex } from 'knex';",
      'src/accounts/store.ts': "import type { Knex } from 'knex';",
      'src/linking/start.ts': "import express from 'express';",
      'src/http/app.ts': "import express from 'express';",
    },
    messages: ['src/accounts/read.ts may not import knex', 'src/linking/start.ts may not import express'],
  },
  {
    name: 'the types of requests stay at the door',
    rule: misplacedRequestTypes,
    violating: {
      'src/accounts/read.ts': "import type { operations } from '../../generated/api.ts';",
      'src/accounts/account.ts': "import type { components } from '../../generated/api.ts';",
      'src/http/operation.ts': "import type { operations } from '../../generated/api.ts';",
    },
    messages: ['src/accounts/read.ts names the types of requests, which are for src/http alone'],
  },
  {
    name: 'no files import each other in a circle, types included',
    rule: importCycles,
    violating: {
      'src/accounts/a.ts': "import type { B } from './b.ts';",
      'src/accounts/b.ts': "import { c } from './c.ts';",
      'src/accounts/c.ts': "export * from './a.ts';",
      'src/accounts/d.ts': "import { a } from './a.ts';",
    },
    messages: ['these import each other: src/accounts/a.ts, src/accounts/b.ts, src/accounts/c.ts'],
  },
  {
    name: 'names say what is there',
    rule: badFileNames,
    violating: {
      'src/accounts/index.ts': '',
      'src/helpers/money.ts': '',
      'widget/page/utils.ts': '',
      'client/index.ts': '',
    },
    messages: [
      'src/accounts/index.ts: import from the file that owns the name, not from an index',
      'src/helpers/money.ts: "helpers" says nothing about what is there',
      'widget/page/utils.ts: "utils" says nothing about what is there',
    ],
  },
  {
    name: 'every file is used: it is reached from main.ts',
    rule: unusedFiles,
    violating: {
      'src/main.ts': "import { service } from './service.ts';",
      'src/service.ts': "const program = new URL('./refresh/worker.ts', import.meta.url);",
      'src/refresh/worker.ts': '',
      'src/refresh/forgotten.ts': "import './worker.ts';",
    },
    messages: ['src/refresh/forgotten.ts is imported by nobody'],
  },
];

for (const { name, rule, violating, messages } of rules) {
  describe(name, () => {
    test('a house that breaks the rule is caught', () => {
      expect(rule(sourcesOf(violating)).sort()).toEqual([...messages].sort());
    });

    test('our house keeps it', () => {
      expect(rule(projectSources)).toEqual([]);
    });
  });
}

test('the plan itself goes one way', () => {
  expect(moduleCycles()).toEqual([]);
});

test('the house was really read', () => {
  expect(projectSources.size).toBeGreaterThan(50);
  expect([...projectSources.keys()]).toContain('src/errors.ts');
});
