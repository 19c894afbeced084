// The sandbox bank's own page, without a browser: user `redirect` decides there and returns.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';

type Decision = 'allow' | 'refuse' | 'timeOut';

/** Decides on the bank's page, and returns the URL to which it sends the browser. */
export const decideAtBank = async (
  service: { url: string },
  bankPage: URL,
  decision: Decision = 'allow',
): Promise<URL> => {
  const body = new URLSearchParams({ ...Object.fromEntries(bankPage.searchParams), decision });
  body.set('password', 'password');
  const url = new URL(bankPage.pathname, service.url);
  const response = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  expect(response.status).toBe(303);
  const location = new URL(response.headers.get('location')!);
  expect(location.pathname).toBe('/connect/return');
  return location;
};

type AcceptedReturn = {
  status: number;
  body: { code?: string; application?: object; institution?: object; returnAddress?: string };
};

/** The request that the page at /connect/return sends. */
export const sendReturn = async (
  { url }: { url: string },
  { searchParams, search }: URL,
  { attempt = randomUUID() as string, headers = {} } = {},
): Promise<AcceptedReturn> => {
  const body = JSON.stringify({ state: searchParams.get('state'), query: search.slice(1), attempt });
  const response = await fetch(`${url}/connect/api/returns`, {
    ...{ method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body },
  });
  return { status: response.status, body: (await response.json()) as AcceptedReturn['body'] };
};

/** Decides at the bank and returns to /connect/return. Returns the code of that page. */
export const returnFromBank = async (
  service: { url: string },
  bankPage: URL,
  decision?: Decision,
): Promise<string> => {
  const { status, body } = await sendReturn(service, await decideAtBank(service, bankPage, decision));
  expect(status).toBe(200);
  return body.code!;
};
