// Every sandbox user that can be linked, in a real browser. npm test runs one variant of each, except for the users that
// other tests link; TEST_ALL=1 runs all variants. The users that fail are in everyFailure.test.ts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWidgetFixture, type WidgetFixture } from './hostPage.ts';
import {
  allVariants,
  pairwiseVariants,
  type ScreenTest,
  type ScreenVariant,
  shareAll,
  signIn,
  startScreenTest,
} from './screenTest.ts';

type UserAction = (screen: ScreenTest) => Promise<void>;

const answer =
  (title: 'code' | 'question' | 'image', text: string): UserAction =>
  async ({ host, driver, t, proceed, checkScreen }) => {
    await checkScreen(t.challenge[title]);
    await driver.type(host.widget.getByRole('textbox'), text);
    await proceed();
  };
const code = answer('code', '123456');
const chooseOption: UserAction = async ({ host, driver, t, proceed, checkScreen }) => {
  await checkScreen(t.challenge.choice);
  await driver.check(host.widget.getByRole('radio').first());
  await proceed();
};
const approve: UserAction = ({ t, checkScreen }) => checkScreen(t.challenge.approval);
const share: UserAction = async (screen) => {
  await screen.checkScreen(screen.t.accounts.title);
  await shareAll(screen);
};
/** One account is enough for users that differ in the sign-in only. */
const shareOne: UserAction = async ({ host, driver, t, proceed, checkScreen }) => {
  await checkScreen(t.accounts.title);
  await driver.check(host.widget.getByRole('checkbox').first());
  await proceed();
};

/** The steps of each user between the sign-in form and the import. */
const actionsByUser: Record<string, UserAction[]> = {
  good: [share],
  otp: [code, shareOne],
  question: [answer('question', 'blue'), shareOne],
  choose: [chooseOption, code, shareOne],
  push: [approve, shareOne],
  captcha: [answer('image', '7G4K'), shareOne],
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
const userCases = users.flatMap((username, index) =>
  (process.env.TEST_ALL ? allVariants : [pairwiseVariants[index % pairwiseVariants.length]!]).map(
    (variant) => ({
      username,
      variant,
    }),
  ),
);

let fixture: WidgetFixture;
beforeAll(async () => {
  fixture = await startWidgetFixture({ slowStepMs: 1000 });
});
afterAll(() => fixture.close());

/** The result of onSuccess equals what the API returns. */
const expectResult = async (screen: ScreenTest): Promise<void> => {
  const result = await screen.host.result();
  expect(result).toMatchObject({
    connectionId: expect.stringMatching(/^con_[0-9A-Za-z]{22}$/),
    institution: { id: 'sandbox-bank', name: 'Sandbox Bank' },
    scopedToken: expect.stringMatching(/^sct_[A-Za-z0-9_-]{72}$/),
  });
  expect(result).not.toHaveProperty('user');
  const params = { path: { connectionId: result.connectionId } };
  const { data } = await fixture.service
    .client(result.scopedToken)
    .GET('/connections/{connectionId}/accounts', { params });
  const accounts = data?.accounts.map(({ id, name, type, subtype, lastFour, currency }) => ({
    ...{ id, name, type, subtype, lastFour, currency },
  }));
  expect(result.accounts).toEqual(accounts);
};

/** Checks a screen for the first user of a variant only, because it is the same for all; for every user with TEST_ALL. */
const checkedScreens = new Set<string>();
const checkNewScreensOnly = (screen: ScreenTest, variant: ScreenVariant): ScreenTest => ({
  ...screen,
  checkScreen: async (title) => {
    const key = `${title} ${JSON.stringify(variant)}`;
    if (checkedScreens.has(key) && !process.env.TEST_ALL) return screen.heading(title);
    checkedScreens.add(key);
    await screen.checkScreen(title);
  },
});

const title = '$username ($variant.language, $variant.scheme, $variant.width px, by $variant.input)';

const linkInVariant = async ({ username, variant }: (typeof userCases)[number]): Promise<void> => {
  const screen = checkNewScreensOnly(await startScreenTest(fixture, variant), variant);
  const { host, driver, t, press, choose, checkScreen, button, proceed, consentTitle } = screen;
  await host.open();
  await checkScreen(consentTitle);
  await proceed();
  await driver.type(host.widget.getByRole('combobox', { name: t.institution.search }), 'sandbox bank');
  await checkScreen(t.institution.title);
  await choose('Sandbox Bank');
  await checkScreen(t.credentials.title('Sandbox Bank'));
  await signIn(screen, username);
  for (const action of actionsByUser[username]!) await action(screen);
  await button(t.done).waitFor({ timeout: 90_000 });
  await checkScreen(t.success.title);
  await host.expectEvents('onInit', 'onSuccess');
  await expectResult(screen);
  await press(t.done);
  await host.expectEvents('onInit', 'onSuccess');
  expect(host.consoleErrors).toEqual([]);
  await host.close();
};

// Each import of `large` holds the lock of the database for so long that with several at once other requests are refused.
const isLarge = ({ username }: (typeof userCases)[number]): boolean => username === 'large';

describe.concurrent('links', () => {
  test.for(userCases.filter((one) => !isLarge(one)))(title, { timeout: 180_000 }, linkInVariant);
});

test.for(userCases.filter(isLarge))(`links ${title}`, { timeout: 180_000 }, linkInVariant);
