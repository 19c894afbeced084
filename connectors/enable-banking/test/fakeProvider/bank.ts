// The banks of the fake provider. A test creates and keeps them and may change them at any time: the provider looks at them with
// each request. The differences between banks are options here; the behaviour of all banks is described in the code.
import type { FakeAccount } from './account.ts';
import type { Schemas } from './contract.ts';

/** A bank. By default it lets everybody in `users` in, for the requested time. */
export type FakeBank = {
  /** Its entry in the directory, where it differs from the defaults of `toAspsp`, such as in `psu_types` or `auth_methods`. */
  aspsp: Partial<Schemas['Aspsp']> & Schemas['AspspName'];
  /** The accounts by the name that the user types on the bank's page. No two banks may have the same user. */
  users: Record<string, FakeAccount[]>;
  /** The directory lists the bank twice. */
  isListedTwice?: true;
  /** The URL of the page is `http:`. Nothing responds there if the provider has a certificate. */
  namesPlainHttpPage?: true;
  /** The page returns `error=server_error` without a description, whatever the user decides. */
  failsAtSignIn?: true;
  /** The page returns with this state instead of the one that it was given. */
  returnsState?: string;
  /** The bank shortens every consent to this many days, which only `/sessions` shows. */
  consentDaysMax?: number;
  /** The number of reads of one endpoint of an account in 24 hours without the user; by default 4. */
  unattendedReadsMax?: number;
};

export const daySeconds = 86_400;

/** A bank's entry in the directory. By default: private persons, one method, consents of 180 days, two headers of the user. */
export const toAspsp = ({ aspsp }: FakeBank): Schemas['Aspsp'] => {
  const { psu_types = ['personal'] } = aspsp;
  const methods = psu_types.map((psu_type) => ({
    ...{ name: `sign_in_${psu_type}`, psu_type, approach: 'REDIRECT' as const, hidden_method: false },
  }));
  return {
    ...{ psu_types, auth_methods: methods, maximum_consent_validity: 180 * daySeconds, beta: false },
    ...{ logo: 'https://logos.example/bank', required_psu_headers: ['Psu-Ip-Address', 'Psu-User-Agent'] },
    ...aspsp,
  };
};

/** A bank in Germany, with defaults. */
export const fakeBank = (
  name: string,
  users: Record<string, FakeAccount[]>,
  more: Partial<FakeBank> = {},
): FakeBank => ({ aspsp: { name, country: 'DE' }, users, ...more });
