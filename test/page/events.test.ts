// The events that the page sends to the host during a complete link, and during a failed one.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventOfStep } from '../../widget/page/events.ts';
import { hostOrigin, startService, type TestService } from '../support/testService.ts';
import { atBank, credentials, isStep, type OpenPage, openPage, shareAll, toSignIn } from './openPage.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ origins: [hostOrigin] });
});
afterAll(() => service.close());

const namesOf = ({ events }: OpenPage): string[] => events.map(([name]) => name);

test('each step to the connection is reported with the link session, and without the user’s input', async () => {
  await using page = openPage(service, atBank);
  await toSignIn(page);
  await page.take(credentials('otp'), 'challenge');
  await page.take({ kind: 'answer', answer: '111111' }, 'challenge');
  await page.take({ kind: 'answer', answer: '123456' }, 'accounts');
  const { result } = await shareAll(page);
  expect(namesOf(page)).toEqual([
    ...['opened', 'consent_given', 'institution_selected', 'credentials_submitted', 'challenge_shown'],
    ...['challenge_answered', 'failed', 'challenge_answered', 'accounts_selected', 'import_started'],
    'connected',
  ]);
  const { linkSessionId } = result;
  expect(linkSessionId).toMatch(/^lks_/);
  const selected = { linkSessionId, institutionId: 'sandbox-bank' };
  expect(page.events[0]).toEqual(['opened', { linkSessionId }]);
  expect(page.events[2]).toEqual(['institution_selected', selected]);
  expect(page.events[4]).toEqual(['challenge_shown', { ...selected, challengeKind: 'code' }]);
  const failed = { ...selected, challengeKind: 'code', reason: 'wrong_answer' };
  expect(page.events[6]).toEqual(['failed', failed]);
  expect(page.events.at(-1)).toEqual(['connected', selected]);
  expect(JSON.stringify(page.events)).not.toMatch(/otp|password|123456|Checking|sct_/);
});

test('an unlisted bank is reported each time, and the user can go back to the list', async () => {
  await using page = openPage(service);
  await page.until('consent');
  await page.take({ kind: 'consent' }, 'institution');
  const reason = 'institution_not_listed';
  for (let time = 0; time < 2; time++) {
    page.transport.dispatch({ kind: 'not_listed' });
    expect(page.model().notListed).toBe(true);
    page.transport.dispatch({ kind: 'back' });
    expect(page.model().notListed).toBe(false);
  }
  await page.until('institution');
  expect(page.sent.map(({ kind }) => kind)).toEqual(['consent']);
  expect(namesOf(page)).toEqual(['opened', 'consent_given', reason, reason]);
  expect(page.events.at(-1)![1]).toEqual({ linkSessionId: page.events[0]![1].linkSessionId, reason });
});

test('an import is reported even if it has ended before the page polls', async () => {
  await using page = openPage(service, atBank, async (request, forward) => {
    const response = await forward();
    if (!isStep(request) || !(await request.text()).includes('selectAccounts')) return response;
    const view = async () => {
      const { headers } = request;
      return (await (await fetch(request.url.replace('/steps', ''), { headers })).json()).view.state;
    };
    await expect.poll(view).toBe('finished');
    throw new TypeError('The response is lost.');
  });
  await toSignIn(page);
  await page.take(credentials('twins'), 'accounts');
  await shareAll(page);
  expect(page.events.map(([name]) => name).slice(-3)).toEqual([
    ...['accounts_selected', 'import_started', 'connected'],
  ]);
  expect(page.results).toHaveLength(1);
});

test('the code of a return from the bank’s own page is reported as an answer', async () => {
  await using page = openPage(service, atBank);
  await toSignIn(page);
  const view = await page.take(credentials('redirect'), 'challenge');
  expect(eventOfStep({ kind: 'returned', code: '7Q2M-K9XD' }, view)).toEqual({
    name: 'challenge_answered',
    metadata: { institutionId: 'sandbox-bank', challengeKind: 'redirect' },
  });
});

test('an expired link session is reported at the next step, and another one can begin', async () => {
  await using page = openPage(service, atBank);
  await toSignIn(page);
  service.advance(31 * 60_000);
  page.transport.submitStep(credentials('good'));
  const expired = { kind: 'failed', reason: 'session_expired' };
  await expect.poll(() => page.model().content).toMatchObject(expired);
  expect(namesOf(page).at(-1)).toBe('failed');
  page.transport.restart();
  await page.until('consent');
  const opened = page.events.filter(([name]) => name === 'opened');
  expect(new Set(opened.map(([, { linkSessionId }]) => linkSessionId)).size).toBe(2);
});
