// The command connectors shows a bank's parameters without an end user: FinTS with its test bank, as run by an operator.
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { profiles } from '../../connectors/fints/test/profiles.ts';
import { said } from '../../connectors/fints/test/segments.ts';
import { type ListedBank, startListedBank } from '../connectors/fints/serviceFixture.ts';
import { type CliResult, runCli, runCliProcess, type Settings, temporaryDirectory } from '../support/cli.ts';

let listed: ListedBank;
let settings: Settings;
let remove: () => Promise<void>;
beforeAll(async () => {
  listed = await startListedBank();
  const directory = await temporaryDirectory();
  remove = directory.remove;
  settings = { ...listed.env, CONNECTORS: 'simplefin,fints', DATA_DIR: join(directory.path, 'none') };
});
afterAll(async () => {
  await remove();
  await listed.close();
});

const probe = (connector: string, bank: string, ...options: string[]): Promise<CliResult> =>
  runCli(settings, 'connectors', connector, 'probe', '--bank', bank, ...options);

test('a bank is probed in a separate process, without a database or secrets', async () => {
  const { code, out, err } = await runCliProcess(
    settings,
    'connectors',
    'fints',
    'probe',
    '--bank',
    'dkb-camt',
  );
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^Parameter +Value +Meaning\nHKSPA +1, 2 +IBANs of accounts: version 2 is used\n/);
  expect(out).toMatch(/\nTAN method 946 +SecureApp +decoupled: approval in an app\n/);
  expect(existsSync(settings.DATA_DIR!)).toBe(false);
  const { parameters } = (await probe('fints', 'dkb-camt', '--json')).json<{ parameters: object[] }>();
  const national = {
    parameter: 'National accounts',
    value: 'N',
    meaning: 'requests identify accounts by IBAN only',
  };
  expect(parameters).toContainEqual(national);
});

test('texts of a bank are one line without control characters', async () => {
  const name = 'chip\u001b[2J\u009bTAN\nmanuell';
  const segments = profiles.dkb!.anonymous.replaceAll('chipTAN manuell', name);
  listed.bank.intercept = () => ({ segments });
  const { out } = await probe('fints', 'dkb');
  expect(out).toMatch(/\nTAN method 910 +chip\[2JTAN manuell +a code\n/);
});

test('a bank that refuses anonymous dialogs fails with its codes and none of its texts', async () => {
  listed.bank.intercept = () => ({ segments: said.noAnonymousDialog.text });
  const err = 'dkb cannot be probed: the bank refuses anonymous dialogs (9400, 9800).\n';
  expect(await probe('fints', 'dkb')).toMatchObject({ code: 1, out: '', err });
});

test.each([
  [
    'simplefin',
    'dkb',
    'simplefin cannot be probed. CONNECTORS lists simplefin, fints. "probe" works with fints.',
  ],
  ['ebics', 'dkb', 'ebics cannot be probed. CONNECTORS lists simplefin, fints. "probe" works with fints.'],
  ['fints', 'musterbank', 'fints has no institution musterbank.'],
])('%s probe --bank %s is wrong usage', async (connector, bank, sentence) => {
  const received = listed.bank.received.length;
  expect(await probe(connector, bank)).toMatchObject({ code: 2, out: '', err: `${sentence}\n` });
  expect(listed.bank.received).toHaveLength(received);
});

test('an unknown action is wrong usage', async () => {
  const { code, err } = await runCli(settings, 'connectors', 'fints', 'pay', '--bank', 'dkb');
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringContaining('Allowed choices are probe, check.'),
  });
});

test('a connector reports why it cannot work, with a setting from a file', async () => {
  const { path } = await temporaryDirectory();
  const [connector, key] = [join(path, 'key.mjs'), join(path, 'key.pem')];
  const kit = import.meta.resolve('../../connectors/kit/index.ts');
  await writeFile(
    connector,
    `import { defineConnector } from ${JSON.stringify(kit)};
    const fails = async () => { throw new Error('never called'); };
    export default defineConnector({
      settings: { KEY_OF_TEST: 'the key' },
      make: (host) => ({
        institutions: [{ id: 'north', name: 'North', fields: [] }],
        connector: { signIn: fails, answer: fails, accounts: fails, read: fails },
        check: async () => (host.setting('KEY_OF_TEST') === 'line one\\nline two' ? [] : ['KEY_OF_TEST is no key:\\nregister one.']),
      }),
    });`,
  );
  const check = (env: Settings) =>
    runCli({ ...settings, CONNECTORS: connector, ...env }, 'connectors', connector, 'check');
  expect(await check({ KEY_OF_TEST: 'none' })).toMatchObject({
    code: 1,
    out: 'KEY_OF_TEST is no key: register one.\n',
  });
  await writeFile(key, 'line one\nline two\n');
  expect(await check({ KEY_OF_TEST_FILE: key })).toMatchObject({
    code: 0,
    out: `${connector} is ready.\n`,
    err: '',
  });
  const missing = join(path, 'none.pem');
  expect(await check({ KEY_OF_TEST_FILE: missing })).toMatchObject({
    code: 1,
    err: expect.stringContaining(`KEY_OF_TEST_FILE names ${missing}, which cannot be read.`),
  });
  const other = await runCli(settings, 'connectors', 'fints', 'check');
  const sentence = 'fints cannot be checked. CONNECTORS lists simplefin, fints. "check" works with none.\n';
  expect(other).toMatchObject({ code: 2, err: sentence });
  await rm(path, { recursive: true });
});
