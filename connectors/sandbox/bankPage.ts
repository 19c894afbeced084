// The URL of the sandbox bank's own page, to which user `redirect` is sent, and the code that the page returns.
// http/sandboxBank renders the page.
import type { ReturnTo } from '@bank-connection/connector-kit';
import { stableHash } from './seededRandom.ts';

/** The page's path on the service. */
export const bankPagePath = '/sandbox-bank';

/** The URL of the page, which returns to this address. */
export const bankPageUrl = (username: string, { url, state }: ReturnTo): string =>
  `${new URL(bankPagePath, url)}?${new URLSearchParams({ username, state })}`;

/** The code that the page returns after the end user allowed access. */
export const bankPageCode = (username: string, state: string): string =>
  stableHash(username, state, 'allowed');
