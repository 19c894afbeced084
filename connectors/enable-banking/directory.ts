// Lists the banks in the provider's directory, personal and business, as institutions.
import type { Directory } from '@bank-connection/connector-kit';
import { toInstitution } from './bank.ts';
import { connect, type EnableBankingDeps } from './client.ts';
import type { Schemas } from './schemas.ts';

/** Throws BankRefused and BankUnreachable. Requests all banks: a filter by type of user would hide banks for companies. */
export const makeDirectory =
  (deps: EnableBankingDeps): Directory =>
  async (context) => {
    const answer = await connect(deps, context).GET('/aspsps', { params: { query: { service: 'AIS' } } });
    const byId = new Map<string, Schemas['Aspsp']>();
    for (const aspsp of answer.data!.aspsps) {
      const key = `${aspsp.name}, ${aspsp.country}`;
      const other = byId.get(key);
      byId.set(key, other ? union(other, aspsp) : aspsp);
    }
    return [...byId.values()].map(toInstitution);
  };

/** Merges two entries of the same bank, for example one for individuals and one for companies. */
const union = (one: Schemas['Aspsp'], other: Schemas['Aspsp']): Schemas['Aspsp'] => ({
  ...one,
  psu_types: [...new Set([...one.psu_types, ...other.psu_types])],
  auth_methods: one.auth_methods.concat(
    other.auth_methods.filter(({ psu_type }) => !one.psu_types.includes(psu_type)),
  ),
});
