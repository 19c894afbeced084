// Linking sandbox users without a browser, as a consumer's tests do.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createClient,
  linkSandbox,
  SandboxLinkError,
  signUser,
  UsageError,
  unwrap,
} from '../../client/index.ts';
import { type CatalogueUser, sandboxUserCatalogue } from '../../connectors/sandbox/userCatalogue.ts';
import { createIdentitySecret } from '../../src/domain/applications/applications.ts';
import { findApplication } from '../../src/domain/applications/store.ts';
import { byOperator } from '../../src/domain/audit/by.ts';
import { days } from '../../src/platform/values/clock.ts';
import { hostOrigin, startService, type TestService } from '../support/testService.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const optionsOf = (user: string) => ({
  ...{ baseUrl: service.url, applicationId: service.application.id, origin: hostOrigin, user },
});

const reasons: Record<string, string> = {
  denial: 'denied',
  redirect: 'the bank’s own page needs a browser',
  locked: 'locked',
  unavailable: 'institution_down',
  no_accounts: 'no_accounts',
};
const longTraits = ['slow', 'many_transactions'];
const outcomesOf = ({ challenges, traits }: CatalogueUser): string[] => [
  ...challenges.map(({ kind }) => kind),
  ...traits.filter((trait) => reasons[trait]),
];
// The first user of each kind of challenge and of each refusal; TEST_ALL links all users except slow ones.
const users = sandboxUserCatalogue().filter((user, at, all) => {
  if (process.env.TEST_ALL) return !user.traits.some((trait) => longTraits.includes(trait));
  const earlier = all.slice(0, at).flatMap(outcomesOf);
  return outcomesOf(user).some((outcome) => !earlier.includes(outcome));
});

describe('linkSandbox', () => {
  test.for(users)('links $username, or reports the reason for failing', async (user) => {
    const { username, accounts, traits } = user;
    const reason = outcomesOf(user)
      .map((outcome) => reasons[outcome])
      .find(Boolean);
    const linking = linkSandbox(optionsOf(username));
    if (reason) {
      await expect(linking).rejects.toThrow(new SandboxLinkError(reason));
      return;
    }
    const linked = await linking;
    const addedLater = traits.includes('account_added') ? 1 : 0;
    expect(linked.accounts).toHaveLength(accounts.length - addedLater);
    const { apiKey } = service.application;
    const client = createClient({ baseUrl: service.url, apiKey, scopedToken: linked.scopedToken });
    const { connections } = await unwrap(client.GET('/connections', {}));
    expect(connections.map(({ id }) => id)).toEqual([linked.connectionId]);
  });

  test('reports a wrong password', async () => {
    const linking = linkSandbox({ ...optionsOf('good'), password: 'nonsense' });
    await expect(linking).rejects.toMatchObject({ reason: 'wrong_credentials' });
  });

  test('reconnects, and keeps the connection and its user', async () => {
    const externalUserId = 'reconnecting';
    const first = await linkSandbox({ ...optionsOf('expires'), externalUserId });
    const { apiKey } = service.application;
    const client = createClient({ baseUrl: service.url, apiKey, scopedToken: first.scopedToken });
    const statuses = async () =>
      (await unwrap(client.GET('/connections', {}))).connections.map(({ status }) => status);
    service.advance(days(1));
    await expect.poll(statuses).toEqual(['needs_reconnect']);
    const { connectionId } = first;
    const again = await linkSandbox({ ...optionsOf('expires'), externalUserId, connectionId });
    expect(again).toMatchObject({ connectionId, accounts: first.accounts });
    expect(again.scopedToken).toBeUndefined();
    expect(await statuses()).toEqual(['active']);
  });

  test('needs a signature if the application requires them', async () => {
    const { id: applicationId } = await service.addApplication({ origins: [hostOrigin] });
    const { db, secrets, clock } = service.service;
    const application = (await findApplication(db.read, applicationId))!;
    const now = clock.real();
    const by = byOperator(application.organizationId, now);
    const { secret } = await createIdentitySecret(db, secrets.identity, application, by);
    await db
      .write('applications')
      .where({ id: applicationId })
      .update({ identityRequiredAt: now.toISOString() });
    const options = { ...optionsOf('good'), applicationId, externalUserId: 'ann' };
    await expect(linkSandbox(options)).rejects.toThrow('(forbidden)');
    const userSignature = signUser(secret, { externalUserId: 'ann', at: now });
    expect((await linkSandbox({ ...options, userSignature })).user?.externalUserId).toBe('ann');
  });

  test('refuses a Production application and an origin that the application does not have', async () => {
    const { id: applicationId } = await service.addApplication({ environment: 'production' });
    const production = linkSandbox({ ...optionsOf('good'), applicationId });
    await expect(production).rejects.toThrow('applicationId must belong to a Sandbox application.');
    const elsewhere = linkSandbox({ ...optionsOf('good'), origin: 'https://elsewhere.example' });
    await expect(elsewhere).rejects.toThrow('(origin_not_allowed)');
  });

  test('stops when it is aborted', async () => {
    const signal = AbortSignal.timeout(300);
    await expect(linkSandbox({ ...optionsOf('push'), signal })).rejects.toThrow(/aborted|timeout/i);
  });

  test('reports a missing baseUrl', async () => {
    const { baseUrl: _, ...rest } = optionsOf('good');
    for (const options of [undefined, rest])
      await expect(linkSandbox(options as never)).rejects.toThrow(UsageError);
  });
});
