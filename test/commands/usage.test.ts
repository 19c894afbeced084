// Help, wrong usage (exit code 2) and failures (exit code 1) of all commands.
import { execFile } from 'node:child_process';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runCli, runCliProcess, type Settings, temporaryDirectory } from '../support/cli.ts';

const commands = [
  ['serve', '--no-worker'],
  ['worker'],
  ['migrate'],
  ['backup', '<file>'],
  ['verify', '<file>'],
  ['restore', '<file>'],
  ['organizations create', '--name'],
  ['organizations list'],
  ['applications create', '--name', '--environment', '--origin', '--organization'],
  ['applications list'],
  ['api-keys create', '--application', '--name', '--expires-in-days'],
  ['api-keys list', '--application'],
  ['api-keys revoke', '<key>'],
  ['connections list', '--external-user', '--application', '--limit', '--after'],
  ['connections show', '<connection>'],
  ['connections revoke', '<connection>'],
  ['members invite', '--email', '--role', '--organization'],
  ['members create-reset-link', '<email>'],
  ['refresh run', '--connection'],
  ['refresh status'],
  ['retention sweep'],
  ['sandbox load', '<file>', '--organization'],
  ['sandbox set-password', '<login>', '<password>', '--organization'],
  ['sandbox advance', '--days', '--hours', '--organization'],
  [
    'sandbox link',
    '--application',
    '--user',
    '--password',
    '--institution',
    '--external-user',
    '--connection',
  ],
] as const;

let settings: Settings;
let remove: () => Promise<void>;
beforeAll(async () => {
  const directory = await temporaryDirectory();
  settings = { DATA_DIR: directory.path };
  remove = directory.remove;
  await runCli(settings, 'organizations', 'create', '--name', 'Acme');
});
afterAll(() => remove());

test('the help names every command', async () => {
  const { out, code } = await runCli(settings, '--help');
  expect(code).toBe(0);
  for (const [name] of commands) expect(out).toContain(`  ${name.split(' ')[0]} `);
});

test('a command in its own process has the same output and exit code', async () => {
  for (const words of [
    ['api-keys'],
    ['api-keys', 'list'],
    ['api-keys', 'list', '--application', 'shop'],
    ['--help'],
  ]) {
    const { code, out, err } = await runCliProcess(settings, ...words);
    expect({ code, out, err }).toEqual(
      await runCli(settings, ...words).then(({ json, ...outcome }) => outcome),
    );
  }
});

describe('--help needs no valid settings', () => {
  for (const [name, ...words] of commands) {
    test(`${name} lists its options and arguments`, async () => {
      const { out, err, code } = await runCli({ PORT: 'wrong' }, ...name.split(' '), '--help');
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toContain(`Usage: bank-connection ${name} `);
      for (const word of [...words, '--json']) expect(out).toContain(word);
    });
  }
});

/** The names of the commands below a group, or of the groups and commands of the program. */
const commandsIn = async (...group: string[]): Promise<string[]> => {
  const { out } = await runCli({}, ...group, '--help');
  return [...(out.split('Commands:')[1] ?? '').matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name]) => name!);
};

test('the help of every command that creates something has an example, and all examples parse', async () => {
  const helps: Record<string, string> = {};
  for (const group of await commandsIn()) {
    if (group === 'help') continue;
    const names = (await commandsIn(group)).filter((name) => name !== 'help');
    for (const name of names.length > 0 ? names.map((one) => `${group} ${one}`) : [group])
      helps[name] = (await runCli({}, ...name.split(' '), '--help')).out;
  }
  const examplesOf = (out: string) => out.match(/(?<=^ {2}bank-connection ).+$/gm) ?? [];
  const creating = Object.entries(helps).filter(([, out]) => /^(create|add|load) /m.test(out));
  expect(creating.map(([name]) => name)).toEqual([
    ...['organizations create', 'applications create', 'api-keys create'],
    ...['members invite', 'members create-reset-link', 'webhooks create', 'simplefin create', 'sandbox load'],
  ]);
  for (const [name, out] of creating) expect(examplesOf(out), name).not.toEqual([]);
  const examples = Object.values(helps).flatMap(examplesOf);
  expect(examples).toEqual(expect.arrayContaining(['serve', 'backup bank.backup']));
  for (const example of examples) {
    const words = example
      .replace(/ <.*/, '')
      .match(/'[^']*'|\S+/g)!
      .map((word) => word.replaceAll("'", ''));
    expect((await runCli({ PORT: 'wrong' }, ...words)).err, example).toMatch(/^PORT must be/);
  }
});

test('the program runs through a link, as npm makes one, and prints its version', async () => {
  const directory = await temporaryDirectory();
  onTestFinished(directory.remove);
  const program = join(directory.path, 'bank-connection');
  await symlink(fileURLToPath(new URL('../../scripts/bank-connection', import.meta.url)), program);
  const { stdout } = await promisify(execFile)(program, ['--version']);
  const { version, bin } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(stdout).toBe(`${version}\n`);
  expect(bin).toEqual({ 'bank-connection': 'scripts/bank-connection' });
});

const origin = 'https://shop.example';
const hint = '\nSee --help.\n';

describe('wrong usage exits with 2 and one sentence', () => {
  const wrongUsages: [words: string, sentence: string][] = [
    ['frobnicate', "unknown command 'frobnicate'"],
    ['api-keys create', "required option '--application <application>' not specified"],
    ['api-keys revoke', "missing required argument 'key'"],
    ['api-keys list --application app_x --frob', "unknown option '--frob'"],
    ['connections show con_a con_b', 'too many arguments'],
    ['sandbox advance --days -1', 'It must be a whole number from 0 to 10000.'],
    ['sandbox advance --days 1.5', 'It must be a whole number'],
    ['sandbox advance --days 10001', 'It must be a whole number'],
    ['api-keys create --application app_x --expires-in-days 0', 'It must be a whole number from 1'],
    [
      'applications create --name N --origin https://a.example --environment test',
      'Allowed choices are sandbox, production.',
    ],
    ['applications create --name N --environment sandbox', "required option '--origin <url...>'"],
  ];
  for (const [words, sentence] of wrongUsages) {
    test(words, async () => {
      const { out, err, code } = await runCli(settings, ...words.split(' '), '--json');
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toContain(sentence);
      expect(err.endsWith(hint)).toBe(true);
      expect(err.split('\n')).toHaveLength(3);
    });
  }

  test.each([
    ['sandbox', 'link', '--application', 'app_x', '--user', 'good', '--external-user', ''],
    ['sandbox', 'link', '--application', 'app_x', '--user', 'good', '--external-user', 'x'.repeat(256)],
    ['simplefin', 'create', '--all-accounts', '--label', 'a\nb'],
    ['api-keys', 'create', '--application', 'app_x', '--name', ' '],
    ['organizations', 'create', '--name', ' '],
    ['applications', 'create', '--name', 'x'.repeat(101), '--environment', 'sandbox', '--origin', origin],
  ])('%s %s with a text that no field takes', async (...words) => {
    const { out, err, code } = await runCli(settings, ...words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/It must have 1 to \d+ characters, not only spaces, and no control characters\./);
  });

  test('sandbox advance without a time', async () => {
    const { err, code } = await runCli(settings, 'sandbox', 'advance');
    expect({ err, code }).toEqual({
      err: 'The sandbox clock only goes forward: set --days or --hours.\n',
      code: 2,
    });
  });

  test('connections list without a filter', async () => {
    const { out, err, code } = await runCli(settings, 'connections', 'list');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe('Set --external-user, --application, or both.\n');
  });

  test('a group without a command lists its commands', async () => {
    const { err, code } = await runCli(settings, 'sandbox');
    expect(code).toBe(2);
    expect(err).toContain('set-password');
  });
});

describe('a failure exits with 1 and one sentence', () => {
  const unknown = '0123456789012345678901';
  const failures: [words: string, sentence: string][] = [
    [`api-keys create --application app_${unknown}`, `There is no application app_${unknown}: `],
    ['api-keys list --application shop', 'There is no application shop: '],
    ['api-keys revoke key_x', 'There is no key key_x.'],
    [
      'api-keys revoke eyJhbGciOiJFZERTQSJ9',
      'The argument must be the id of a key (key_…), as "api-keys list" shows it.',
    ],
    ['connections list --application app_x', 'There is no application app_x: '],
    ['connections list --external-user u --after con_x', 'There is no connection con_x.'],
    [`connections show con_${unknown}`, `There is no connection con_${unknown}.`],
    ['connections revoke con_x', 'There is no connection con_x.'],
    ['refresh run --connection con_x', 'There is no connection con_x.'],
    ['sandbox load missing.csv', 'missing.csv is not a file that can be read.'],
    ['sandbox advance --days 1 --organization Globex', 'There is no organization Globex: choose one of org_'],
    [
      'members invite --email a@b.example --role owner --organization org_x',
      'There is no organization org_x: choose one of org_',
    ],
    [
      'applications create --name N --environment sandbox --origin shop.example',
      '"shop.example" is not an origin: ',
    ],
    [
      'applications create --name N --environment sandbox --origin https://*.example',
      '"https://*.example" is not an origin: ',
    ],
    [
      'applications create --name N --environment sandbox --origin https://a.example --organization org_x',
      'There is no organization org_x: choose one of org_',
    ],
  ];
  for (const [words, sentence] of failures) {
    test(words, async () => {
      const { out, err, code } = await runCli(settings, ...words.split(' '), '--json');
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toContain(sentence);
      expect(err).toMatch(/^.*[.\n]\n?$/);
      expect(err.trimEnd().split('\n')).toHaveLength(1);
    });
  }
});
