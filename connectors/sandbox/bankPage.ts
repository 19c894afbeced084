// The sandbox bank's own page, which user `redirect` is sent to (http/sandboxBank renders it): its address, and the code with which
// it returns.
import type { ReturnTo } from '@bank-connection/connector-kit';
import { stableHash } from './seededRandom.ts';

/** The path of the page at the service. */
export const bankPagePath = '/sandbox-bank';

/** The URL of the page, which returns to this address. */
export const bankPageUrl = (username: string, { url, state }: ReturnTo): string =>
  `${new URL(bankPagePath, url)}?${new URLSearchParams({ username, state })}`;

/** The code with which the page returns once the end user has allowed the access. */
export const bankPageCode = (username: string, state: string): string =>
  stableHash(username, state, 'allowed');
