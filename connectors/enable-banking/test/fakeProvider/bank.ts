// The banks of the fake provider. A test owns them and may change them at any time: the provider looks at them on each request.
// Options cover the differences between banks; the code has the behavior that all banks share.
import type { FakeAccount } from './account.ts';
import type { Schemas } from './contract.ts';

/** By default, a bank lets all `users` in for the requested time. */
export type FakeBank = {
  /** Overrides the defaults of `toAspsp` in the directory, for example `psu_types` or `auth_methods`. */
  aspsp: Partial<Schemas['Aspsp']> & Schemas['AspspName'];
  /** The accounts by the name that the user types on the bank's page. Banks cannot share users. */
  users: Record<string, FakeAccount[]>;
  /** The directory lists the bank twice. */
  isListedTwice?: true;
  /** The URL of the page starts with `http:`. Nothing responds there if the provider has a certificate. */
  namesPlainHttpPage?: true;
  /** The page returns `error=server_error` without a description, regardless of the user's decision. */
  failsAtSignIn?: true;
  /** The page returns with this state instead of the one that it received. */
  returnsState?: string;
  /** The bank shortens every consent to this many days; only `/sessions` shows it. */
  consentDaysMax?: number;
  /** The number of unattended reads per endpoint and account in 24 hours; by default 4. */
  unattendedReadsMax?: number;
};

export const daySeconds = 86_400;

/** A bank's entry in the directory. By default: individuals, one method, consents of 180 days, two headers about the user. */
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

/** A German bank, with defaults. */
export const fakeBank = (
  name: string,
  users: Record<string, FakeAccount[]>,
  more: Partial<FakeBank> = {},
): FakeBank => ({ aspsp: { name, country: 'DE' }, users, ...more });
