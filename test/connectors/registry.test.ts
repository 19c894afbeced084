// The registry shows each environment its own institutions and no other, and says clearly what a connector lacks.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConnectorModule, loadConnectorModules, makeRegistry } from '../../src/connectors/registry.ts';
import { OperatorError } from '../../src/errors.ts';

const refuse = async (): Promise<never> => {
  throw new Error('This bank is never asked.');
};
const connectorOf = (...ids: string[]): ConnectorModule => ({
  institutions: ids.map((id) => ({
    id,
    name: `Bank ${id}`,
    fields: [{ name: 'pin', label: 'PIN', secret: true }],
  })),
  connector: { signIn: refuse, answer: refuse, accounts: refuse, history: refuse },
});

describe('the registry', () => {
  const sandbox = connectorOf('play', 'toy');
  const [first, second] = [connectorOf('north', 'south'), connectorOf('east')];
  const registry = makeRegistry({ sandbox, production: [first, second] });

  test('shows Sandbox applications the sandbox, and Production ones what was configured', () => {
    expect(registry.institutions('sandbox').map(({ id }) => id)).toEqual(['play', 'toy']);
    expect(registry.institutions('production').map(({ id }) => id)).toEqual(['north', 'south', 'east']);
    expect(makeRegistry({ sandbox, production: [] }).institutions('production')).toEqual([]);
  });

  test('finds an institution with its bank, in its own environment only', () => {
    expect(registry.find('production', 'east')).toEqual({
      institution: second.institutions[0],
      bank: second.connector,
    });
    expect(registry.find('sandbox', 'toy')?.bank).toBe(sandbox.connector);
    expect(registry.find('sandbox', 'east')).toBeUndefined();
    expect(registry.find('production', 'toy')).toBeUndefined();
    expect(registry.find('production', 'constructor')).toBeUndefined();
  });

  test('refuses two connectors for one institution', () => {
    const twice = () => makeRegistry({ sandbox, production: [first, connectorOf('south')] });
    expect(twice).toThrow(OperatorError);
    expect(twice).toThrow('Two connectors answer for the institution south');
    // The same id may stand for different banks in the two environments.
    makeRegistry({ sandbox, production: [connectorOf('play')] });
  });
});

describe('loading the connectors that CONNECTORS names', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'banks-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  const moduleOf = async (name: string, source: string): Promise<string> => {
    const path = join(directory, `${name}.mjs`);
    await writeFile(path, source);
    return path;
  };
  const bank = '{ signIn() {}, answer() {}, accounts() {}, history() {} }';
  const institutions = `[{ id: 'far', name: 'Far Bank', fields: [{ name: 'a', label: 'A', secret: true }] }]`;

  test('gives them in the order of the setting', async () => {
    const far = await moduleOf(
      'far',
      `export const connector = { bank: ${bank}, institutions: ${institutions} };`,
    );
    const near = await moduleOf(
      'near',
      `export const connector = { bank: ${bank}, institutions: ${institutions.replace('far', 'near')} };`,
    );
    const loaded = await loadConnectorModules([` ${far}`, near]);
    expect(loaded.map((one) => one.institutions[0]!.id)).toEqual(['far', 'near']);
    expect(await loadConnectorModules([])).toEqual([]);
  });

  const bad: [name: string, source: string, message: string][] = [
    ['a module that throws', `throw new Error('broken inside')`, 'could not be loaded: broken inside'],
    ['no export', 'export const other = 1;', 'whose export `connector` is missing'],
    [
      'a missing method',
      `export const connector = { bank: { signIn() {} } };`,
      'has no function bank.answer',
    ],
    ['no bank', `export const connector = { institutions: ${institutions} };`, 'has no function bank.signIn'],
    [
      'no institutions',
      `export const connector = { bank: ${bank}, institutions: [] };`,
      'names no institutions',
    ],
    [
      'a bad id',
      `export const connector = { bank: ${bank}, institutions: [{ id: 'Far Bank', name: 'F', fields: [] }] };`,
      'has an institution whose id is not',
    ],
    [
      'no name',
      `export const connector = { bank: ${bank}, institutions: ${institutions.replace('Far Bank', '')} };`,
      'gives the institution far no name',
    ],
    [
      'bad fields',
      `export const connector = { bank: ${bank}, institutions: ${institutions.replace('true', '1')} };`,
      'gives the institution far no proper fields',
    ],
  ];
  for (const [name, source, message] of bad) {
    test(`refuses ${name}`, async () => {
      const path = await moduleOf(name.replaceAll(' ', '-'), source);
      const loading = loadConnectorModules([path]);
      await expect(loading).rejects.toBeInstanceOf(OperatorError);
      await expect(loading).rejects.toThrow(`CONNECTORS names ${path}`);
      await expect(loading).rejects.toThrow(message);
    });
  }

  test('refuses a path where nothing is', async () => {
    await expect(loadConnectorModules(['./nowhere.ts'])).rejects.toThrow(
      'CONNECTORS names ./nowhere.ts, which could not be loaded',
    );
  });
});
