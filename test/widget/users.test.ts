// Which end user a connection belongs to: users with an id, anonymous ones and reconnects.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConnectResult } from '../../widget/protocol.ts';
import { link } from '../support/testService.ts';
import { type HostPageOptions, openHostPage, startWidgetFixture, type WidgetFixture } from './hostPage.ts';
import { press, selectInstitution, shareAll, signIn } from './widgetSteps.ts';

let fixture: WidgetFixture;
beforeAll(async () => {
  fixture = await startWidgetFixture();
});
afterAll(() => fixture.close());

const connect = async (options: HostPageOptions, username = 'twins'): Promise<ConnectResult> => {
  const host = await openHostPage(fixture, options);
  await host.open();
  await selectInstitution(host.widget);
  await signIn(host.widget, username);
  await shareAll(host.widget);
  await host.expectEvents('onInit', 'onSuccess');
  await press(host.widget, 'Done');
  const result = await host.result();
  await host.close();
  return result;
};

const connectionsFor = async (scopedToken: string | undefined) => {
  const { data } = await fixture.service.client(scopedToken).GET('/connections');
  return data?.connections.map(({ id }) => id);
};

test.concurrent('a user with an id gets one token for all connections', async () => {
  const first = await connect({ externalUserId: 'user-1207' });
  const second = await connect({ externalUserId: 'user-1207' }, 'moves');
  expect(first.user).toEqual({ id: expect.stringMatching(/^usr_/), externalUserId: 'user-1207' });
  expect(second.user).toEqual(first.user);
  expect(second).not.toHaveProperty('scopedToken');
  expect(await connectionsFor(first.scopedToken)).toEqual([first.connectionId, second.connectionId]);
});

test.concurrent('each connection without an id has its own anonymous user and token', async () => {
  const first = await connect({});
  const second = await link(fixture.service, { username: 'twins' });
  expect(first).not.toHaveProperty('user');
  expect(await connectionsFor(first.scopedToken)).toEqual([first.connectionId]);
  expect(await connectionsFor(second.scopedToken)).toEqual([second.connectionId]);
});

describe.concurrent('reconnecting', () => {
  /** A connection to one of the bank's accounts. */
  const linkOneAccount = async (): Promise<ConnectResult> => {
    const { session: _, ...result } = await link(fixture.service, {
      username: 'usd',
      accounts: ['Everyday Checking'],
    });
    return result;
  };

  test('asks for the credentials only and returns no token', async () => {
    const linked = await linkOneAccount();
    const host = await openHostPage(fixture, { connectionId: linked.connectionId });
    await host.open();
    await host.widget.getByRole('heading', { name: 'Sign in to Sandbox Bank' }).waitFor();
    expect(await host.widget.getByRole('button', { name: 'Back' }).count()).toBe(0);
    await signIn(host.widget, 'usd');
    await host.widget.getByRole('heading', { name: 'Your connection is up to date' }).waitFor();
    await host.expectEvents('onInit', 'onSuccess');
    const { scopedToken: _, linkSessionId, ...expected } = linked;
    const { linkSessionId: another, ...result } = await host.result();
    expect(result).toEqual(expected);
    expect(another).not.toBe(linkSessionId);
    expect(await connectionsFor(linked.scopedToken)).toEqual([linked.connectionId]);
    await host.close();
  });

  test('rejects a login with other accounts', async () => {
    const linked = await linkOneAccount();
    const host = await openHostPage(fixture, { connectionId: linked.connectionId });
    await host.open();
    await signIn(host.widget, 'jpy');
    await host.widget.getByRole('heading', { name: 'These accounts don’t match' }).waitFor();
    await press(host.widget, 'Use a different login');
    await signIn(host.widget, 'usd');
    await host.expectEvents('onInit', 'onSuccess');
    await host.close();
  });
});
