// Searching for institutions in the widget's API: by name, alias, code and country; popular ones come first.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Institution } from '../../connectors/kit/contract.ts';
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

type Query = { search?: string; limit?: number };

const request = (
  of: TestService,
  { id, secret }: TestLinkSession,
  { address, ...query }: Query & { address?: string },
) => {
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return requestWidgetApi(of, `/${id}/institutions?${parameters.join('&')}`, { secret, address });
};

const findIn = async (of: TestService, by: TestLinkSession, query: Query): Promise<string[]> => {
  const { body } = await request(of, by, query);
  return body.institutions.map(({ id }: { id: string }) => id);
};

const find = (query: Query): Promise<string[]> => findIn(service, session, query);

describe('institutions', () => {
  test('are listed with popular ones first, then by name', async () => {
    const all = ['bavaria', 'harbour', 'plain', 'seville', 'german-us', 'munich', 'zurich'];
    expect(await find({})).toEqual(all);
    expect(await find({ limit: 3 })).toEqual(all.slice(0, 3));
  });

  test.each([
    ['the beginning of a name before a word within one, whatever the case', 'BANK', 'bavaria', 'harbour'],
    ['a name without its accents', 'munchner', 'munich'],
    ['a name with its accents', 'Zürcher', 'zurich'],
    ['missing and transposed letters', 'habrour bnk', 'harbour'],
    ['wrong and extra letters, and words in another order', 'bonk harrbour', 'harbour'],
    ['the beginning of a word with a typing error', 'bavra', 'bavaria'],
    ['a part of a word', 'avari', 'bavaria'],
    ['an alias', 'mub', 'munich'],
    ['an alias of another case', 'BDSE', 'seville'],
    ['a code', 'zrchchzzxxx', 'zurich'],
    ['a code without its hyphens', '200000', 'harbour'],
    ['a code with other spaces', '70190000', 'munich'],
    ['a code without its spaces', '036001808', 'german-us'],
  ])('are found by %s', async (_what, search, ...first) => {
    expect((await find({ search })).slice(0, first.length)).toEqual(first);
  });

  test.each(['germany', 'Deutschland', 'allemagne', 'Alemania', 'Niemcy', 'ألمانيا', 'DE', 'germ'])(
    'are found by their country: %s',
    async (search) => {
      const found = await find({ search });
      const [bavaria, munich] = [found.indexOf('bavaria'), found.indexOf('munich')];
      expect(bavaria).toBeGreaterThanOrEqual(0);
      // The popular institution comes first, and both come after a name that begins with the text.
      expect(munich).toBe(bavaria + 1);
      if (search === 'germ') expect(found[0]).toBe('german-us');
    },
  );

  test('are not found by a part of a code, or of the code of a country', async () => {
    expect(await find({ search: '7019' })).toEqual([]);
    expect(await find({ search: 'xx' })).toEqual([]);
  });
});

test('one of 10,000 institutions is found by the first five words, despite typing errors', async () => {
  const many = Array.from({ length: 10_000 }, (_, at) => ({
    ...{ id: `bank-${at}`, fields, codes: [String(10_000_000 + at)] },
    ...{ name: `Savings Bank of ${at.toString(36)}ville`, country: ['DE', 'FR', 'US'][at % 3]! },
  }));
  const large = await startService({ connectors: [{ ...module, institutions: many }] });
  onTestFinished(large.close);
  const { id: applicationId } = await large.addApplication({ environment: 'production' });
  const own = await openLinkSession(large, { applicationId });
  const findFirst = async (search: string) => (await findIn(large, own, { search, limit: 1 }))[0];
  expect(await findFirst('10004242')).toBe('bank-4242');
  const search = 'savigns bnak of the 3auvlile';
  expect(await findFirst(search)).toBe('bank-4278');
  expect(await findFirst(`${search} where words beyond the fifth do not count`)).toBe('bank-4278');
  expect(await findFirst('a'.repeat(100))).toBe(undefined);
  expect(await findFirst('nothing at all')).toBe(undefined);
});

test('searches of institutions are limited by client address, over all of its link sessions', async () => {
  const limited = await startService({ limits: { widgetRequestsPerMinute: 3 } });
  onTestFinished(limited.close);
  // All requests are in the same minute.
  limited.advance(60_000 - (limited.service.clock.real().getTime() % 60_000));
  const [first, second] = [await openLinkSession(limited), await openLinkSession(limited)];
  const search = async (by: TestLinkSession, address: string) =>
    (await request(limited, by, { search: 'sandbox', address })).status;
  expect(await search(first, '2001:db8:1:2::1')).toBe(200);
  expect(await search(first, '2001:db8:1:2::1')).toBe(200);
  expect(await search(second, '2001:db8:1:2::1')).toBe(200);
  expect(await search(second, '2001:db8:1:2:ffff::1')).toBe(429);
  expect(await search(second, '2001:db8:1:3::1')).toBe(200);
  limited.advance(60_000);
  expect(await search(second, '2001:db8:1:2::1')).toBe(200);
});
