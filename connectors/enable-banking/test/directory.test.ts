// Tests the listed banks, their ids and their properties.
import { findInstitutionProblem, type Institution } from '@bank-connection/connector-kit';
import { describe, expect, test } from 'vitest';
import { type FakeBank, fakeBank, toAspsp } from './fakeProvider/bank.ts';
import type { Schemas } from './fakeProvider/contract.ts';
import { type Service, startService } from './fixture.ts';

const list = ({ module, call }: Service): Promise<Institution[]> => module.directory!(call());

/** Lists banks with these directory entries. */
const listOf = async (
  aspsps: (Partial<Schemas['Aspsp']> & { name: string })[],
  more: Partial<FakeBank> = {},
) =>
  list(
    await startService(
      aspsps.map((aspsp) => fakeBank(aspsp.name, {}, { aspsp: { country: 'DE', ...aspsp }, ...more })),
    ),
  );

describe('the directory', () => {
  test('has banks for persons and for companies, and each bank once, although it is listed twice', async () => {
    const listed = await listOf(
      [
        { name: 'Both', psu_types: ['personal', 'business'] },
        { name: 'Companies', psu_types: ['business'] },
        { name: 'Persons' },
        { name: 'Persons', country: 'AT', psu_types: ['personal'] },
        { name: 'Companies', psu_types: ['personal'] },
      ],
      { isListedTwice: true },
    );
    expect(listed.map(({ name, country, audience }) => `${name} ${country} ${audience}`)).toEqual([
      ...['Both DE personal,business', 'Companies DE business,personal', 'Persons DE personal'],
      'Persons AT personal',
    ]);
  });

  test('has what end users know a bank by', async () => {
    const [listed] = await listOf([
      {
        ...{
          name: 'Cooperative',
          bic: 'COOPDE21XXX',
          beta: true,
          logo: 'https://logos.example/cooperative/',
        },
        group: { name: 'Cooperatives', logo: '' },
      },
    ]);
    expect(listed).toMatchObject({
      ...{ codes: ['COOPDE21XXX'], beta: true, group: 'Cooperatives', fields: [] },
      logoUrl: 'https://logos.example/cooperative/-/resize/500x/',
    });
  });

  test('has only ids and properties that the service accepts', async () => {
    const names = [
      'ΑΛΦΑ',
      'Γάμμα',
      'Bank',
      'Bänk',
      'Bank & Co.',
      'Bank Co',
      'A'.repeat(100),
      'A'.repeat(101),
    ];
    const listed = await listOf(
      names.map((name) => ({ name, bic: 'not a code', logo: 'http://logos.example/' })),
    );
    expect(listed.map(findInstitutionProblem)).toEqual(names.map(() => undefined));
    expect(new Set(listed.map(({ id }) => id)).size).toBe(names.length);
    expect(listed[2]!.id).toBe('bank-de');
    expect(listed[5]!.id).toBe('bank-co-de');
    expect(listed.some(({ logoUrl }) => logoUrl)).toBe(false);
  });

  test('lets the user of a bank with a long list of methods choose on its page', async () => {
    const auth_methods = Array.from({ length: 40 }, (_, index): Schemas['AuthMethod'] => ({
      ...{ name: `method ${index}`, psu_type: 'personal', approach: 'REDIRECT', hidden_method: false },
    }));
    const [listed] = await listOf([{ name: 'Bank', auth_methods }]);
    expect(findInstitutionProblem(listed)).toBeUndefined();
    expect(JSON.parse(listed!.ref!)).toMatchObject({ methods: [] });
  });

  test('names the former id of a bank that was renamed', async () => {
    const [before] = await listOf([{ name: 'Sparekassen Vendsyssel', country: 'DK' }]);
    const [after] = await listOf([{ name: 'Sparekassen Danmark', country: 'DK' }]);
    expect(after!.formerIds).toEqual([before!.id]);
  });

  test('leaves out a bank that is not valid, and lists the others', async () => {
    const service = await startService([]);
    const aspsps = [{ name: 'Odd' }, toAspsp(fakeBank('Bank', {}))];
    service.provider.intercept = () => ({ status: 200, body: { aspsps } });
    expect((await list(service)).map(({ name }) => name)).toEqual(['Bank']);
  });

  test('is not known while the provider does not answer', async () => {
    const service = await startService([]);
    service.provider.intercept = () => 'close';
    await expect(list(service)).rejects.toMatchObject({ reason: 'down' });
  });
});
