// Help, wrong usage (exit code 2) and failures (exit code 1) of all commands.
import { execFile } from 'node:child_process';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runCli, runCliProcess, type Settings, temporaryDirectory } from '../support/cli.ts';

let settings: Settings;
let remove: () => Promise<void>;
beforeAll(async () => {
  const directory = await temporaryDirectory();
  settings = { DATA_DIR: directory.path };
  remove = directory.remove;
  await runCli(settings, 'organizations', 'create', '--name', 'Acme');
});
afterAll(() => remove());

test('a command in its own process has the same output and exit code', async () => {
  for (const words of [['api-keys'], ['api-keys', 'list'], ['api-keys', 'list', '--application', 'shop']]) {
    const { json: _json, ...outcome } = await runCliProcess(settings, ...words);
    expect(await runCli(settings, ...words)).toMatchObject(outcome);
  }
});

/** The help of a command or a group, which needs no valid settings. */
const helpOf = async (...words: string[]): Promise<string> => {
  const { code, out, err } = await runCli({ PORT: 'wrong' }, ...words, '--help');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain(['Usage: bank-connection', ...words].join(' '));
  return out;
};

/** The names of the commands below a group, or of the groups and commands of the program. */
const commandsIn = async (...group: string[]): Promise<string[]> => {
  const listed = (await helpOf(...group)).split('Commands:')[1] ?? '';
  const names = [...listed.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name]) => name!);
  return names.filter((name) => name !== 'help');
};

test('the help of every command that creates something has an example, and all examples parse', async () => {
  const helps: Record<string, string> = {};
  for (const group of await commandsIn()) {
    const names = await commandsIn(group);
    for (const words of names.length > 0 ? names.map((name) => [group, name]) : [[group]])
      helps[words.join(' ')] = await helpOf(...words);
  }
  const examplesOf = (out: string) => out.match(/(?<=^ {2}bank-connection ).+$/gm) ?? [];
  const creators = Object.entries(helps).filter(([, out]) => /^(create|add|load) /m.test(out));
  expect(creators.map(([name]) => name)).toEqual([
    ...['organizations create', 'applications create', 'api-keys create'],
    ...['members invite', 'members create-reset-link', 'webhooks create', 'simplefin create', 'sandbox load'],
  ]);
  for (const [name, out] of creators) expect(examplesOf(out), name).not.toEqual([]);
  const examples = Object.values(helps).flatMap(examplesOf);
  expect(examples).toEqual(expect.arrayContaining(['serve', 'backup bank.backup']));
  for (const example of examples) {
    const words = example.replace(/ <.*/, '').match(/'[^']*'|\S+/g)!;
    const args = words.map((word) => word.replaceAll("'", ''));
    expect((await runCli({ PORT: 'wrong' }, ...args)).err, example).toMatch(/^PORT must be/);
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
const creating = 'applications create --name N --environment sandbox';

/** Runs a command, and expects this exit code and one sentence as the only output. */
const sentenceOf = async (code: number, words: readonly string[]): Promise<string> => {
  const result = await runCli(settings, ...words);
  expect({ code: result.code, out: result.out }).toEqual({ code, out: '' });
  return result.err;
};

describe('wrong usage exits with 2 and one sentence', () => {
  test.each([
    ['frobnicate', "unknown command 'frobnicate'"],
    ['api-keys create', "required option '--application <application>' not specified"],
    ['api-keys revoke', "missing required argument 'key'"],
    ['api-keys list --application app_x --frob', "unknown option '--frob'"],
    ['connections show con_a con_b', 'too many arguments'],
    ['sandbox advance --days -1', 'It must be a whole number from 0 to 10000.'],
    ['sandbox advance --days 1.5', 'It must be a whole number'],
    ['sandbox advance --days 10001', 'It must be a whole number'],
    ['api-keys create --application app_x --expires-in-days 0', 'It must be a whole number from 1'],
    [`${creating}test --origin https://a.example`, 'Allowed choices are sandbox, production.'],
    [creating, "required option '--origin <url...>'"],
  ])('%s', async (words, sentence) => {
    const said = await sentenceOf(2, [...words.split(' '), '--json']);
    expect(said).toContain(sentence);
    expect(said).toMatch(/^.*\nSee --help\.\n$/);
  });

  test.each([
    ['sandbox', 'link', '--application', 'app_x', '--user', 'good', '--external-user', ''],
    ['sandbox', 'link', '--application', 'app_x', '--user', 'good', '--external-user', 'x'.repeat(256)],
    ['simplefin', 'create', '--all-accounts', '--label', 'a\nb'],
    ['api-keys', 'create', '--application', 'app_x', '--name', ' '],
    ['organizations', 'create', '--name', ' '],
    ['applications', 'create', '--name', 'x'.repeat(101), '--environment', 'sandbox', '--origin', origin],
  ])('%s %s with a text that no field takes', async (...words) => {
    expect(await sentenceOf(2, words)).toMatch(
      /Use 1 to \d+ characters\. Control characters and text consisting only of spaces are not allowed\./,
    );
  });

  test('sandbox advance without a time', async () => {
    const sentence = 'The sandbox clock only goes forward: set --days or --hours.\n';
    expect(await sentenceOf(2, ['sandbox', 'advance'])).toBe(sentence);
  });

  test('connections list without a filter', async () => {
    const sentence = 'Set --external-user, --application, or both.\n';
    expect(await sentenceOf(2, ['connections', 'list'])).toBe(sentence);
  });

  test('a group without a command lists its commands', async () => {
    expect(await sentenceOf(2, ['sandbox'])).toContain('set-password');
  });
});

describe('a failure exits with 1 and one sentence', () => {
  const unknown = '0123456789012345678901';
  const isNone = 'There is no';
  test.each([
    [`api-keys create --application app_${unknown}`, `${isNone} application app_${unknown}: `],
    ['api-keys list --application shop', `${isNone} application shop: `],
    ['api-keys revoke key_x', `${isNone} key key_x.`],
    [
      'api-keys revoke eyJhbGciOiJFZERTQSJ9',
      'The argument must be the id of a key (key_…), as shown by "api-keys list"',
    ],
    ['connections list --application app_x', `${isNone} application app_x: `],
    ['connections list --external-user u --after con_x', `${isNone} connection con_x.`],
    [`connections show con_${unknown}`, `${isNone} connection con_${unknown}.`],
    ['connections revoke con_x', `${isNone} connection con_x.`],
    ['refresh run --connection con_x', `${isNone} connection con_x.`],
    ['sandbox load missing.csv', 'missing.csv is not a readable file.'],
    ['sandbox advance --days 1 --organization Globex', `${isNone} organization Globex: choose one of org_`],
    [
      'members invite --email a@b.example --role owner --organization org_x',
      `${isNone} organization org_x: choose`,
    ],
    [`${creating} --origin shop.example`, '"shop.example" is not an origin: '],
    [`${creating} --origin https://*.example`, '"https://*.example" is not an origin: '],
    [
      `${creating} --origin ${origin} --organization org_x`,
      `${isNone} organization org_x: choose one of org_`,
    ],
  ])('%s', async (words, sentence) => {
    const said = await sentenceOf(1, [...words.split(' '), '--json']);
    expect(said).toContain(sentence);
    expect(said).toMatch(/^.*[.\n]\n?$/);
    expect(said.trimEnd().split('\n')).toHaveLength(1);
  });
});
