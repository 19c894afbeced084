// The search of institutions in the widget's API: by name, alias, code and country; popular ones come first.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Institution } from '../../src/connectors/connector.ts';
import { requestWidgetApi } from '../linking/fixture.ts';
import { makeScriptedConnector } from '../support/scriptedConnector.ts';
import {
  openLinkSession,
  startService,
  type TestLinkSession,
  type TestService,
} from '../support/testService.ts';

const { module } = makeScriptedConnector();
const { fields } = module.institutions[0]!;
const institutions: Institution[] = [
  { id: 'zurich', name: 'Zürcher Bank', country: 'CH', codes: ['ZRCHCHZZXXX'] },
  { id: 'german-us', name: 'Germantown Savings', country: 'US', codes: ['036 001 808'] },
  { id: 'munich', name: 'Münchner Bank', country: 'DE', aliases: ['MüBa'], codes: ['701 900 00'] },
  { id: 'harbour', name: 'Harbour Bank', country: 'GB', codes: ['20-00-00'], popular: true as const },
  { id: 'bavaria', name: 'Bank of Bavaria', country: 'DE', popular: true as const },
  { id: 'seville', name: 'Banco de Sevilla', country: 'ES', aliases: ['BdSe'] },
  { id: 'plain', name: 'A Plain Bank' },
].map((institution) => ({ ...institution, fields }));

let service: TestService;
let session: TestLinkSession;
beforeAll(async () => {
  service = await startService({ connectors: [{ ...module, institutions }] });
  const { id: applicationId } = await service.addApplication({ environment: 'production' });
  session = await openLinkSession(service, { applicationId });
});
afterAll(() => service.close());

const request = (
  of: TestService,
  { id, secret }: TestLinkSession,
  query: { search?: string; limit?: number },
) => {
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return requestWidgetApi(of, `/${id}/institutions?${parameters.join('&')}`, { secret });
};

const find = async (search?: string, limit?: number): Promise<string[]> => {
  const query = { ...(search !== undefined && { search }), ...(limit !== undefined && { limit }) };
  const { body } = await request(service, session, query);
  return body.institutions.map(({ id }: { id: string }) => id);
};

describe('institutions', () => {
  test('are listed with the popular ones first, then by name', async () => {
    const all = ['bavaria', 'harbour', 'plain', 'seville', 'german-us', 'munich', 'zurich'];
    expect(await find()).toEqual(all);
    expect(await find(undefined, 3)).toEqual(all.slice(0, 3));
  });

  test.each([
    ['the beginning of a name before a word within one, whatever the case', 'BANK', 'bavaria', 'harbour'],
    ['a name without its accents', 'munchner', 'munich'],
    ['a name with its accents', 'Zürcher', 'zurich'],
    ['missing and transposed letters', 'habrour bnk', 'harbour'],
    ['an alias', 'mub', 'munich'],
    ['an alias of another case', 'BDSE', 'seville'],
    ['a code', 'zrchchzzxxx', 'zurich'],
    ['a code without its hyphens', '200000', 'harbour'],
    ['a code with other spaces', '70190000', 'munich'],
    ['a code without its spaces', '036001808', 'german-us'],
  ])('are found by %s', async (_what, search, ...first) => {
    expect((await find(search)).slice(0, first.length)).toEqual(first);
  });

  test.each(['germany', 'Deutschland', 'allemagne', 'Alemania', 'DE', 'germ'])(
    'are found by their country: %s',
    async (search) => {
      const found = await find(search);
      const [bavaria, munich] = [found.indexOf('bavaria'), found.indexOf('munich')];
      expect(bavaria).toBeGreaterThanOrEqual(0);
      // The popular one first, and both after a name that begins with the text.
      expect(munich).toBe(bavaria + 1);
      if (search === 'germ') expect(found[0]).toBe('german-us');
    },
  );

  test('are not found by a part of a code, or of the code of a country', async () => {
    expect(await find('7019')).toEqual([]);
    expect(await find('xx')).toEqual([]);
  });
});

test('10,000 institutions are searched in less than half a second, also with typing errors', async () => {
  const many = Array.from({ length: 10_000 }, (_, at) => ({
    ...{ id: `bank-${at}`, fields, codes: [String(10_000_000 + at)] },
    ...{ name: `Savings Bank of ${at.toString(36)}ville`, country: ['DE', 'FR', 'US'][at % 3]! },
  }));
  const large = await startService({ connectors: [{ ...module, institutions: many }] });
  try {
    const { id: applicationId } = await large.addApplication({ environment: 'production' });
    const own = await openLinkSession(large, { applicationId });
    // The first request also makes the index.
    await request(large, own, {});
    for (const search of ['savings', 'savigns bnak', '10004242', 'france', 'nothing at all']) {
      const started = performance.now();
      expect((await request(large, own, { search })).status).toBe(200);
      expect(performance.now() - started).toBeLessThan(500);
    }
  } finally {
    await large.close();
  }
});
