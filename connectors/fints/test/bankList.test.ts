// Tests the operator's list of banks and the connector's settings: each error has its location and the expected value.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readBankList } from '../bankList.ts';
import fints from '../index.ts';
import { host } from './fixture.ts';

const directory = mkdtempSync(join(tmpdir(), 'bank-list-'));
afterAll(() => rmSync(directory, { recursive: true }));

const logo = readFileSync('connectors/sandbox/logos/sandbox-bank.png');
writeFileSync(join(directory, 'logo.png'), logo);
writeFileSync(join(directory, 'logo.txt'), 'no picture');

const bank = {
  ...{ id: 'musterbank', name: 'Musterbank', bankCode: '12345678', country: 'DE' },
  url: 'https://fints.musterbank.example/fints',
};

const writeList = (content: unknown): string => {
  const path = join(directory, 'banks.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const readList = (content: unknown) => readBankList(writeList(content));

test('a list gives institutions with logos, codes and addresses', () => {
  const [first, second] = readList([
    { ...bank, logo: 'logo.png', color: '#123456', aliases: ['MB'], popular: true },
    { ...bank, id: 'second', url: 'http://127.0.0.1:8080/fints' },
  ]);
  expect(first).toMatchObject({
    bankCode: '12345678',
    institution: {
      ...{ id: 'musterbank', name: 'Musterbank', country: 'DE', codes: ['12345678'], color: '#123456' },
      ...{ aliases: ['MB'], popular: true },
      fields: [{ name: 'username' }, { name: 'pin', secret: true }],
    },
  });
  expect(first!.url.href).toBe('https://fints.musterbank.example/fints');
  expect(Buffer.from(first!.institution.logo!)).toEqual(logo);
  expect(second!.institution.logo).toBeUndefined();
});

const wrong: [what: string, list: unknown, message: RegExp][] = [
  ['a text', 'no JSON', /which could not be read/],
  ['an object', {}, /which is not an array of banks/],
  ['an empty list', [], /which is not an array of banks/],
  ['a bank that is no object', ['x'], /whose entry 1 is not an object/],
  ['a bank without a name', [bank, { ...bank, name: '' }], /whose entry 2 has no name, which must be a text/],
  [
    'an unknown field',
    [{ ...bank, blz: '1' }],
    /whose entry 1 has the unknown field blz: allowed are id, name/,
  ],
  ['a short bank code', [{ ...bank, bankCode: '123' }], /wrong bankCode: it must be the 8 digits/],
  ['an http address', [{ ...bank, url: 'http://bank.example/' }], /wrong url: it must be an https address/],
  ['an address with a password', [{ ...bank, url: 'https://a:b@bank.example/' }], /wrong url/],
  ['no address', [{ ...bank, url: 'bank' }], /wrong url/],
  ['an address without a host', [{ ...bank, url: 'https:///bank.example/' }], /wrong url/],
  ['a logo that is not there', [{ ...bank, logo: 'none.png' }], /has a logo that could not be read/],
  ['a logo that is no picture', [{ ...bank, logo: 'logo.txt' }], /has a wrong logo: it must be/],
  ['a logo that is no path', [{ ...bank, logo: 1 }], /has a wrong logo: it must be the path of a file/],
  [
    'a wrong customer id',
    [{ ...bank, hasCustomerId: 'yes' }],
    /has a wrong hasCustomerId: it must be true or/,
  ],
  ['a wrong id', [{ ...bank, id: 'Bank 1' }], /an institution whose id is not/],
  ['a wrong country', [{ ...bank, country: 'XX' }], /has a wrong country/],
];
test.each(wrong)('%s is refused', (_, list, message) => {
  expect(() => readList(list)).toThrow(message);
});

test('a bank with customer ids asks for one', () => {
  const fieldsOf = (content: object) => readList([content])[0]!.institution.fields.map(({ name }) => name);
  expect(fieldsOf({ ...bank, hasCustomerId: true })).toEqual(['username', 'customerId', 'pin']);
  expect(fieldsOf({ ...bank, hasCustomerId: false })).toEqual(['username', 'pin']);
});

test('the settings go together', () => {
  const settings = { FINTS_PRODUCT_ID: 'ABC123', FINTS_BANKS: writeList([bank]) };
  const make = (values: Record<string, string>) =>
    fints.make({ ...host, setting: (name: string) => values[name] });
  expect(make(settings)).toMatchObject({ institutions: [{ id: bank.id }] });
  expect(() => make({ FINTS_PRODUCT_ID: 'ABC123' })).toThrow(/^FINTS_BANKS is missing/);
  expect(() => make({ FINTS_BANKS: settings.FINTS_BANKS })).toThrow(/^FINTS_PRODUCT_ID is missing/);
  for (const productId of ['x'.repeat(26), 'a b', 'ä']) {
    expect(() => make({ ...settings, FINTS_PRODUCT_ID: productId })).toThrow(/1 to 25 letters and digits/);
  }
});
