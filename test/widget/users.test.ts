// Whose connection it becomes: users with an id, anonymous ones, and connections that are restored.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConnectResult } from '../../widget/protocol.ts';
import { link } from '../support/testService.ts';
import { type HostPageOptions, type WidgetFixture, startWidgetFixture, openHostPage } from './hostPage.ts';
import { selectInstitution, press, shareAll, signIn } from './widgetSteps.ts';

let stage: WidgetFixture;
beforeAll(async () => {
  stage = await startWidgetFixture();
});
afterAll(() => stage.close());

const connect = async (options: HostPageOptions, username = 'twins'): Promise<ConnectResult> => {
  const host = await openHostPage(stage, options);
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
  const { data } = await stage.service.client(scopedToken).GET('/connections');
  return data?.connections.map(({ id }) => id);
};

test.concurrent('a user with an id gets the token once, and it reads all connections', async () => {
  const first = await connect({ externalUserId: 'user-1207' });
  const second = await connect({ externalUserId: 'user-1207' }, 'moves');
  expect(first.user).toEqual({ id: expect.stringMatching(/^usr_/), externalUserId: 'user-1207' });
  expect(second.user).toEqual(first.user);
  expect(second).not.toHaveProperty('scopedToken');
  expect(await connectionsFor(first.scopedToken)).toEqual([first.connectionId, second.connectionId]);
});

test.concurrent('anonymous users are one for each connection, each with a token of its own', async () => {
  const first = await connect({});
  const second = await link(stage.service, { username: 'twins' });
  expect(first).not.toHaveProperty('user');
  expect(await connectionsFor(first.scopedToken)).toEqual([first.connectionId]);
  expect(await connectionsFor(second.scopedToken)).toEqual([second.connectionId]);
});

describe.concurrent('reconnecting', () => {
  /** A connection to one account, which is the first of several at the bank. */
  const make = async (): Promise<ConnectResult> => {
    const { session: _, ...made } = await link(stage.service, {
      username: 'usd',
      accounts: ['Everyday Checking'],
    });
    return made;
  };

  test('asks for the credentials of the bank alone, and gives no token', async () => {
    const made = await make();
    const host = await openHostPage(stage, { connectionId: made.connectionId });
    await host.open();
    await host.widget.getByRole('heading', { name: 'Sign in to Sandbox Bank' }).waitFor();
    expect(await host.widget.getByRole('button', { name: 'Back' }).count()).toBe(0);
    await signIn(host.widget, 'usd');
    await host.widget.getByRole('heading', { name: 'Your connection is restored' }).waitFor();
    await host.expectEvents('onInit', 'onSuccess');
    const { scopedToken: _, ...same } = made;
    expect(await host.result()).toEqual(same);
    expect(await connectionsFor(made.scopedToken)).toEqual([made.connectionId]);
    await host.close();
  });

  test('refuses the accounts of somebody else, and says what to do', async () => {
    const made = await make();
    const host = await openHostPage(stage, { connectionId: made.connectionId });
    await host.open();
    await signIn(host.widget, 'jpy');
    await host.widget.getByRole('heading', { name: 'These are other accounts' }).waitFor();
    await press(host.widget, 'Try again');
    await signIn(host.widget, 'usd');
    await host.expectEvents('onInit', 'onSuccess');
    await host.close();
  });
});
