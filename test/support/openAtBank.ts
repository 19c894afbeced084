// Link sessions of sandbox user `redirect`, who signs in on the bank's own page.
import { type LinkOptions, openLinkSession, type TestLinkSession } from './testService.ts';

/** A link session of a user who was sent to the bank's page, and the URL of that page. */
export const openAtBank = async (
  service: { url: string; application: { id: string } },
  options: LinkOptions = {},
): Promise<{ session: TestLinkSession; bankPage: URL }> => {
  const session = await openLinkSession(service as never, options);
  await session.step({ kind: 'consent' });
  await session.step({ kind: 'selectInstitution', institutionId: 'sandbox-bank' });
  return { session, bankPage: await signInAtBank(session) };
};

/** Submits the credentials, and returns the URL of the bank's page. */
export const signInAtBank = async (session: TestLinkSession): Promise<URL> => {
  const view = await session.step({
    ...{ kind: 'credentials', values: { username: 'redirect', password: 'password' } },
  });
  if (view.state !== 'challenge' || view.challenge.kind !== 'redirect') throw new Error('Not redirected.');
  return new URL(view.challenge.url);
};
