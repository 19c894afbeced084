// The registry contains the institutions of each environment, and reports the exact fault of an invalid connector module.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connector } from '../../connectors/kit/contract.ts';
import { loadConnectorModules } from '../../src/domain/institutions/load.ts';
import { makeRegistry, type NamedModule } from '../../src/domain/institutions/registry.ts';
import { readConfig } from '../../src/platform/settings/config.ts';
import { OperatorError } from '../../src/platform/values/errors.ts';
import { png } from '../logos/files.ts';

const load = (...names: string[]) => loadConnectorModules(readConfig({ CONNECTORS: names.join(',') }));

const unexpectedCall = async (): Promise<never> => {
  throw new Error('This connector is never called.');
};
const moduleWith = (...ids: string[]): NamedModule => ({
  name: ids[0]!,
  institutions: ids.map((id) => ({
    id,
    name: `Bank ${id}`,
    fields: [{ name: 'pin', label: 'PIN', secret: true }],
  })),
  connector: {
    signIn: unexpectedCall,
    answer: unexpectedCall,
    accounts: unexpectedCall,
    read: unexpectedCall,
  },
});

const noPauses = { wrap: (connector: Connector) => connector };

describe('the registry', () => {
  const sandbox = moduleWith('play', 'toy');
  const [first, second] = [moduleWith('north', 'south'), moduleWith('east')];
  const registry = makeRegistry({ sandbox, production: [first, second] }, noPauses);

  test('has the sandbox institutions for Sandbox, and the configured ones for Production', () => {
    expect(registry.institutions('sandbox').map(({ id }) => id)).toEqual(['play', 'toy']);
    expect(registry.institutions('production').map(({ id }) => id)).toEqual(['north', 'south', 'east']);
    expect(makeRegistry({ sandbox, production: [] }, noPauses).institutions('production')).toEqual([]);
  });

  test('finds an institution with its connector, in its own environment only', () => {
    expect(registry.find('production', 'east')).toMatchObject({
      institution: second.institutions[0],
      connector: second.connector,
    });
    expect(registry.find('sandbox', 'toy')?.connector).toBe(sandbox.connector);
    expect(registry.find('sandbox', 'east')).toBeUndefined();
    expect(registry.find('production', 'toy')).toBeUndefined();
    expect(registry.find('production', 'constructor')).toBeUndefined();
  });

  test('refuses two connectors for one institution of an environment', () => {
    const makeDuplicate = () => makeRegistry({ sandbox, production: [first, moduleWith('south')] }, noPauses);
    expect(makeDuplicate).toThrow(OperatorError);
    expect(makeDuplicate).toThrow('Two connectors have the institution south');
    // The two environments are independent.
    makeRegistry({ sandbox, production: [moduleWith('play')] }, noPauses);
  });
});

describe('loading the modules of CONNECTORS', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'connectors-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  const writeModule = async (name: string, source: string): Promise<string> => {
    const path = join(directory, `${name}.mjs`);
    await writeFile(
      path,
      `${source} export default { make: () => ({ connector, institutions, ...(typeof probe === 'undefined' ? {} : { probe }), ...(typeof limits === 'undefined' ? {} : { limits }) }) };`,
    );
    return path;
  };
  const connector = 'const connector = { signIn() {}, answer() {}, accounts() {}, read() {} };';
  const institutions =
    `const institutions = [{ id: 'far', name: 'Far Bank', ` +
    `fields: [{ name: 'a', label: 'A', secret: true }] }];`;

  const withProperty = (source: string): string =>
    institutions.replace("name: 'Far Bank'", `name: 'Far Bank', ${source}`);

  test('takes institutions with every optional property', async () => {
    const source =
      withProperty(`color: '#AB12cd', country: 'GB', aliases: ['F'], codes: ['20-00-00', 'FARBGB2LXXX'],
      helpUrl: 'https://far.example/help', popular: true, logo: Buffer.from('${png.toString('base64')}', 'base64')`);
    const [loaded] = await load(await writeModule('full', connector + source));
    expect(loaded!.institutions[0]!.logo).toEqual(png);
  });

  test('keeps the order of the setting', async () => {
    const far = await writeModule('far', connector + institutions);
    const near = await writeModule('near', connector + institutions.replace('far', 'near'));
    const loaded = await load(` ${far}`, near);
    expect(loaded.map((one) => one.institutions[0]!.id)).toEqual(['far', 'near']);
    expect(await load()).toEqual([]);
  });

  const withInstitutions = (source: string): string => `${connector} const institutions = ${source};`;
  const withReplaced = (from: string, to: string): string => connector + institutions.replace(from, to);
  const invalidModules: [name: string, source: string, message: string | RegExp][] = [
    ['a module that throws', `throw new Error('broken inside');`, 'could not be loaded: broken inside'],
    ['no connector', `const connector = undefined; ${institutions}`, 'whose `make` returns no `connector`'],
    [
      'a missing method',
      `const connector = { signIn() {} }; ${institutions}`,
      'connector has no function answer',
    ],
    [
      'limits of another kind',
      `const limits = { restSeconds: '1' }; ${connector} ${institutions}`,
      'whose `limits` is not an object with positive numbers',
    ],
    [
      'a probe that is not a function',
      `const probe = []; ${connector} ${institutions}`,
      'whose `probe` is not a function',
    ],
    [
      'institutions that are no array',
      withInstitutions('{}'),
      '`institutions` is not an array of institutions',
    ],
    ['no institutions', withInstitutions('[]'), '`institutions` is not an array of institutions'],
    ['an invalid id', withReplaced(`'far'`, `'Far Bank'`), 'has an institution whose id is not'],
    ['no name', withReplaced('Far Bank', ''), 'institution far has no name'],
    [
      'a control character in a name',
      withReplaced('Far Bank', 'Far\\0Bank'),
      'has no name, or one with control',
    ],
    ['invalid fields', withReplaced('true', '1'), 'institution far has no valid fields'],
    ['an unknown label key', withReplaced('secret', `labelKey: 'name', secret`), 'far has no valid fields'],
  ];
  /** Sources with a wrong value of a property, each with the rule that the error must state. */
  const image = 'it must be a PNG, JPEG or WebP file of at most 100 kB and 512 by 512 pixels';
  const country = 'it must be an ISO 3166-1 alpha-2 code, such as DE';
  const texts = 'it must be an array of at most 100 texts that are not empty';
  const wrongProperties: [name: string, source: string, mustBe: string][] = [
    ['a logo that is no image', `logo: new TextEncoder().encode('<svg/>')`, image],
    ['a logo by its path', `logo: './logo.png'`, image],
    ['a color by its name', `color: 'red'`, 'it must be #rrggbb'],
    ['a country by its name', `country: 'Germany'`, country],
    ['a country code of another standard', `country: 'UK'`, country],
    ['an empty alias', `aliases: ['']`, texts],
    ['one alias as a text', `aliases: 'Far'`, texts],
    [
      'a code with other characters',
      `codes: ['20/00/00']`,
      'an array of at most 100 texts of 2 to 34 letters',
    ],
    ['a help address without https', `helpUrl: 'http://far.example'`, 'it must be an https address'],
    ['a script as the help address', `helpUrl: 'javascript:alert(1)'`, 'it must be an https address'],
    ['a popularity by number', `popular: 1`, 'it must be true or absent'],
  ];
  for (const [name, source, mustBe] of wrongProperties) {
    const [property] = source.split(':');
    const message = new RegExp(`institution far has a wrong ${property}: .*${mustBe}`);
    invalidModules.push([name, connector + withProperty(source), message]);
  }
  for (const [name, source, message] of invalidModules) {
    test(`refuses ${name}`, async () => {
      const path = await writeModule(name.replaceAll(' ', '-'), source);
      const loading = load(path);
      await expect(loading).rejects.toBeInstanceOf(OperatorError);
      await expect(loading).rejects.toThrow(`CONNECTORS names ${path}`);
      await expect(loading).rejects.toThrow(message);
    });
  }

  test('takes a built-in connector by its name, among modules and in their order', async () => {
    const far = await writeModule('far-away', connector + institutions);
    const loaded = await load(' simplefin', far);
    expect(loaded.map((one) => one.institutions[0]!.id)).toEqual(['simplefin', 'far']);
    await expect(load('nearby')).rejects.toThrow('CONNECTORS names nearby, which could not be loaded');
  });

  test('takes the example by its path', async () => {
    const [loaded] = await load('examples/new-connector/src/connector.ts');
    expect(loaded!.institutions.map(({ id }) => id)).toEqual(['harbour-bank']);
  });

  test('refuses a path without a file', async () => {
    await expect(load('./nowhere.ts')).rejects.toThrow(
      'CONNECTORS names ./nowhere.ts, which could not be loaded',
    );
  });
});
