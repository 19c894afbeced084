// Every user of the sandbox bank who comes to the end, linked in a real browser from a host page on another site, with
// a look at each screen on the way. Each takes all thirty-two walks with TEST_ALL=1. In npm test each takes one of the
// four that cover every pair of language, width and hands, unless everyScreen.test.ts, expired.test.ts or the test of
// long lists links the same user. Who is refused is in everyFailure.test.ts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type WidgetFixture, startWidgetFixture } from './hostPage.ts';
import {
  allVariants,
  pairwiseVariants,
  startScreenTest,
  shareAll,
  signIn,
  type ScreenTest,
  type ScreenVariant,
} from './screenTest.ts';

type UserAction = (visitor: ScreenTest) => Promise<void>;

const answer =
  (title: 'code' | 'question' | 'image', label: string, text: string): UserAction =>
  async ({ host, hands, t, press, look }) => {
    await look(t.challenge[title]);
    await hands.type(host.widget.getByLabel(label), text);
    await press(t.continue);
  };
const code = answer('code', 'Code sent', '123456');
const choose: UserAction = async ({ host, hands, t, press, look }) => {
  await look(t.challenge.choice);
  await hands.check(host.widget.getByRole('radio').first());
  await press(t.continue);
};
const approve: UserAction = ({ t, look }) => look(t.challenge.approval);
const share: UserAction = async (visitor) => {
  await visitor.look(visitor.t.accounts.title);
  await shareAll(visitor);
};
/** One account is as good as all where it is the way in that differs. */
const shareOne: UserAction = async ({ host, hands, t, press, look }) => {
  await look(t.accounts.title);
  await hands.check(host.widget.getByRole('checkbox').first());
  await press(t.continue);
};

/** What each user meets between the sign-in form and the import. */
const actionsByUser: Record<string, UserAction[]> = {
  good: [share],
  otp: [code, shareOne],
  question: [answer('question', 'What is your favorite color?', 'blue'), shareOne],
  choose: [choose, code, shareOne],
  push: [approve, shareOne],
  captcha: [answer('image', 'Type the characters', '7G4K'), shareOne],
  slow: [share],
  expires: [share],
  moves: [share],
  rotates: [share],
  twins: [share],
  large: [share],
  usd: [share],
  jpy: [share],
  bhd: [share],
};

const linkedElsewhere = ['good', 'large', 'expires', 'rotates', 'twins', 'usd', 'jpy', 'bhd'];
const users = Object.keys(actionsByUser).filter(
  (user) => process.env.TEST_ALL || !linkedElsewhere.includes(user),
);
const userCases = users.flatMap((username, at) =>
  (process.env.TEST_ALL ? allVariants : [pairwiseVariants[at % pairwiseVariants.length]!]).map((walk) => ({
    username,
    walk,
  })),
);

let stage: WidgetFixture;
beforeAll(async () => {
  stage = await startWidgetFixture({ slowStepMs: 1000 });
});
afterAll(() => stage.close());

/** What the host page was told is what a consumer reads. */
const expectTold = async (visitor: ScreenTest): Promise<void> => {
  const result = await visitor.host.result();
  expect(result).toMatchObject({
    connectionId: expect.stringMatching(/^con_[0-9A-Za-z]{22}$/),
    institution: { id: 'sandbox-bank', name: 'Sandbox Bank' },
    scopedToken: expect.stringMatching(/^sct_[A-Za-z0-9_-]{72}$/),
  });
  expect(result).not.toHaveProperty('user');
  const params = { path: { connectionId: result.connectionId } };
  const { data } = await stage.service
    .client(result.scopedToken)
    .GET('/connections/{connectionId}/accounts', { params });
  const read = data?.accounts.map(({ id, name, type, lastFour, currency }) => ({
    ...{ id, name, type, lastFour, currency },
  }));
  expect(result.accounts).toEqual(read);
};

/** Screens that are the same for every user on the same walk are looked at for the first one; for all with TEST_ALL. */
const checkedScreens = new Set<string>();
const checkNewScreensOnly = (visitor: ScreenTest, walk: ScreenVariant): ScreenTest => ({
  ...visitor,
  look: async (title) => {
    const screen = `${title} ${JSON.stringify(walk)}`;
    if (checkedScreens.has(screen) && !process.env.TEST_ALL) return visitor.heading(title);
    checkedScreens.add(screen);
    await visitor.look(title);
  },
});

const title = '$username ($walk.language, $walk.scheme, $walk.width px, by $walk.by)';

describe.concurrent('links', () => {
  test.for(userCases)(title, { timeout: 180_000 }, async ({ username, walk }) => {
    const visitor = checkNewScreensOnly(await startScreenTest(stage, walk), walk);
    const { host, hands, t, press, look, button } = visitor;
    await host.open();
    await look(t.consent.title('Shop'));
    await press(t.continue);
    await hands.type(host.widget.getByRole('searchbox', { name: t.institution.search }), 'sandbox bank');
    await look(t.institution.title);
    await press('Sandbox Bank');
    await look(t.credentials.title('Sandbox Bank'));
    await signIn(visitor, username);
    for (const act of actionsByUser[username]!) await act(visitor);
    await button(t.done).waitFor({ timeout: 90_000 });
    await look(t.success.title);
    await host.expectEvents('onInit', 'onSuccess');
    await expectTold(visitor);
    await press(t.done);
    await host.expectEvents('onInit', 'onSuccess');
    expect(host.consoleErrors).toEqual([]);
    await host.close();
  });
});
