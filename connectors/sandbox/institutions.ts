// The institutions of Sandbox applications. All have the same users.
import { readFileSync } from 'node:fs';
import type { CredentialField, Institution } from '@bank-connection/connector-kit';

const fields: CredentialField[] = [
  { name: 'username', label: 'Username', labelKey: 'username', secret: false },
  { name: 'password', label: 'Password', labelKey: 'password', secret: true },
];

/** `logos` has a file for each id. The codes are fictitious. */
const makeInstitution = (id: string, name: string, more: Partial<Institution>): Institution => ({
  ...{ id, name, fields },
  logo: readFileSync(new URL(`logos/${id}.png`, import.meta.url)),
  ...more,
});

export const sandboxInstitutions: Institution[] = [
  makeInstitution('sandbox-bank', 'Sandbox Bank', {
    color: '#0b6b6f',
    country: 'DE',
    aliases: ['Sandbank', 'SBX'],
    codes: ['SNDXDEFFXXX', '10020099'],
    helpUrl: 'https://example.com/sandbox-bank/help',
    popular: true,
  }),
  makeInstitution('sandbox-credit-union', 'Sandbox Credit Union', {
    color: '#c2410c',
    country: 'US',
    aliases: ['SCU'],
    codes: ['000000518'],
    popular: true,
  }),
  makeInstitution('sandbox-savings', 'Sandbox Savings', {
    color: '#15803d',
    country: 'US',
    codes: ['000000826'],
  }),
  makeInstitution('sandbox-building-society', 'Sandbox Building Society', {
    color: '#9f1239',
    country: 'GB',
    aliases: ['SBS'],
    codes: ['00-00-17'],
  }),
  makeInstitution('sandbox-credit-regional', 'Sandbox Crédit Régional', {
    color: '#1d4ed8',
    country: 'FR',
    aliases: ['SCR', 'Crédit Régional'],
    codes: ['SNDXFRPPXXX'],
  }),
  makeInstitution('sandbox-banco-del-sur', 'Sandbox Banco del Sur', {
    color: '#f2b705',
    country: 'ES',
    aliases: ['BdS'],
    codes: ['SNDXESMMXXX'],
  }),
];
