// Reads the operator's list of banks: a JSON file, because a list of FinTS servers may not be published with a program. Logos are
// files referenced by relative paths.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  type CredentialField,
  findModuleProblem,
  type Institution,
  isLoopbackHost,
  parseUrl,
} from '@bank-connection/connector-kit';

/** A bank in the list, with the URL of its FinTS server. */
export type FintsBank = { institution: Institution; bankCode: string; url: URL };

const username: CredentialField = {
  ...{ name: 'username', label: 'Anmeldename', labelKey: 'username', secret: false },
};
const customerId: CredentialField = {
  ...{ name: 'customerId', label: 'Kundennummer', labelKey: 'customer_number', secret: false },
};
const pin: CredentialField = { name: 'pin', label: 'PIN', labelKey: 'pin', secret: true };

const required = ['id', 'name', 'bankCode', 'url', 'country'] as const;
const optional = ['logo', 'color', 'aliases', 'helpUrl', 'popular', 'hasCustomerId'] as const;
const names: readonly string[] = [...required, ...optional];

type Entry = Record<(typeof required)[number], string> &
  Partial<Pick<Institution, 'color' | 'aliases' | 'helpUrl' | 'popular'>> & {
    logo?: string;
    hasCustomerId?: boolean;
  };

/** Throws if the file is not a valid list of banks. The message contains the entry, the field and the expected value. */
export const readBankList = (path: string): FintsBank[] => {
  const fail = (problem: string): never => {
    throw new Error(`FINTS_BANKS names ${path}, ${problem}.`);
  };
  const entries = parseList(path, fail);
  const banks = entries.map((entry, index) => {
    const failEntry = (problem: string): never => fail(`whose entry ${index + 1} ${problem}`);
    return toBank(checkEntry(entry, failEntry), { directory: dirname(path), fail: failEntry });
  });
  const problem = findModuleProblem({
    institutions: banks.map(({ institution }) => institution),
    connector: { signIn: () => {}, answer: () => {}, accounts: () => {}, read: () => {} },
  });
  return problem === undefined ? banks : fail(problem);
};

type Fail = (problem: string) => never;

const parseList = (path: string, fail: Fail): unknown[] => {
  let list: unknown;
  try {
    list = JSON.parse(readFileSync(resolve(path), 'utf8'));
  } catch (error) {
    fail(`which could not be read: ${(error as Error).message}`);
  }
  if (!Array.isArray(list) || list.length === 0) fail('which is not an array of banks');
  return list as unknown[];
};

const checkEntry = (value: unknown, fail: Fail): Entry => {
  if (typeof value !== 'object' || value === null) return fail('is not an object');
  const entry = value as Record<string, unknown>;
  const missing = required.find((name) => typeof entry[name] !== 'string' || entry[name] === '');
  if (missing) fail(`has no ${missing}, which must be a text`);
  const unknown = Object.keys(entry).find((name) => !names.includes(name));
  if (unknown !== undefined) fail(`has the unknown field ${unknown}: allowed are ${names.join(', ')}`);
  if (entry.logo !== undefined && typeof entry.logo !== 'string') {
    fail('has a wrong logo: it must be the path of a file, relative to the list');
  }
  if (typeof (entry.hasCustomerId ?? false) !== 'boolean')
    fail('has a wrong hasCustomerId: it must be true or false');
  return entry as Entry;
};

const toBank = (
  { bankCode, url: urlText, logo, hasCustomerId, ...properties }: Entry,
  { directory, fail }: { directory: string; fail: Fail },
): FintsBank => {
  if (!/^\d{8}$/.test(bankCode)) fail('has a wrong bankCode: it must be the 8 digits of a Bankleitzahl');
  const url = parseUrl(urlText) ?? fail('has a wrong url: it must be an https address');
  const isSecure = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url));
  if (!isSecure || url.username || url.password) fail('has a wrong url: it must be an https address');
  const fields = [username, ...(hasCustomerId ? [customerId] : []), pin];
  const institution = { ...properties, fields, codes: [bankCode] };
  const bytes = logo === undefined ? undefined : readLogo(resolve(directory, logo), fail);
  return { institution: bytes ? { ...institution, logo: bytes } : institution, bankCode, url };
};

const readLogo = (path: string, fail: Fail): Uint8Array => {
  try {
    return readFileSync(path);
  } catch (error) {
    return fail(`has a logo that could not be read: ${(error as Error).message}`);
  }
};
