// The widget's page between the user and the service, without a browser: the requests that it sends and retries, the data that it
// stores, and its questions and messages to the host.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signUser } from '../../client/index.ts';
import { changeApplication, createIdentitySecret } from '../../src/domain/applications/applications.ts';
import { findApplication } from '../../src/domain/applications/store.ts';
import { byOperator } from '../../src/domain/audit/by.ts';
import { leaveQuestion } from '../../widget/page/leaving.ts';
import { isSubmitting, viewOf } from '../../widget/page/model.ts';
import { en } from '../../widget/page/texts/en.ts';
import { hostOrigin, startService, type TestService } from '../support/testService.ts';
import { atBank, credentials, isStep, openPage, shareAll, toSignIn } from './openPage.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ origins: [hostOrigin] });
});
afterAll(() => service.close());

describe('a request without a response', () => {
  test('of a step does not run the step twice', async () => {
    let isLost = false;
    await using page = openPage(service, atBank, async (request, forward) => {
      const response = await forward();
      if (isLost || !isStep(request) || !(await request.text()).includes('values')) return response;
      isLost = true;
      throw new TypeError('The response is lost.');
    });
    await toSignIn(page);
    await page.take(credentials('otp'), 'challenge');
    expect(page.models.some(({ offline }) => offline)).toBe(true);
    expect(page.model().offline).toBe(false);
    expect(page.sent.filter(({ kind }) => kind === 'credentials')).toHaveLength(1);
  });

  test('to open the widget is repeated', async () => {
    let isOffline = true;
    await using page = openPage(service, {}, (_, forward) => {
      if (isOffline) throw new TypeError('There is no network.');
      return forward();
    });
    await expect.poll(page.model).toMatchObject({ content: { kind: 'loading' }, offline: true });
    isOffline = false;
    await page.until('consent');
    expect(page.model().offline).toBe(false);
  });
});

describe('an approval', () => {
  test('is requested quietly and once at a time, and a step of the user waits for the response', async () => {
    const answered = Promise.withResolvers<void>();
    await using page = openPage(service, atBank, async (request, forward) => {
      const isPoll = isStep(request) && (await request.text()).includes('"answer"');
      const response = await forward();
      if (isPoll) await answered.promise;
      return response;
    });
    await toSignIn(page);
    await page.take(credentials('push'), 'challenge');
    page.transport.dispatch({ kind: 'approval_poll' });
    page.transport.dispatch({ kind: 'approval_poll' });
    expect(isSubmitting(page.model())).toBe(false);
    page.transport.dispatch({ kind: 'back' });
    expect(isSubmitting(page.model())).toBe(true);
    page.transport.dispatch({ kind: 'approval_poll' });
    answered.resolve();
    await page.until('credentials');
    expect(page.sent.map(({ kind }) => kind).slice(-2)).toEqual(['answer', 'back']);
  });

  /** A service that runs the first poll during three views, and whose response to it is lost. */
  const longFirstPoll = () => {
    let views = 0;
    const page = openPage(service, atBank, async (request, forward) => {
      const isPoll = isStep(request) && (await request.text()).includes('"answer"');
      const response = await forward();
      if (isPoll && views === 0) throw new TypeError('The response is lost.');
      if (request.method !== 'GET') return response;
      const { view } = await response.json();
      views += 1;
      return Response.json({ view: views < 4 ? { ...view, busy: true } : view });
    });
    return { page, views: () => views };
  };

  test('is not requested while a poll whose response was lost runs in the service', async () => {
    const { page, views } = longFirstPoll();
    await using _ = page;
    await toSignIn(page);
    await page.take(credentials('push'), 'challenge');
    const asked = () => page.sent.filter(({ kind }) => kind === 'answer').length;
    page.transport.dispatch({ kind: 'approval_poll' });
    let askedEarly = 0;
    const ask = () => {
      page.transport.dispatch({ kind: 'approval_poll' });
      if (views() < 4) askedEarly = Math.max(askedEarly, asked());
      return asked();
    };
    await expect.poll(ask).toBe(2);
    expect(askedEarly).toBe(1);
    expect(views()).toBeGreaterThanOrEqual(4);
  });

  test('lets the user go back after a poll whose response was lost has ended in the service', async () => {
    const { page, views } = longFirstPoll();
    await using _ = page;
    await toSignIn(page);
    await page.take(credentials('push'), 'challenge');
    page.transport.dispatch({ kind: 'approval_poll' });
    page.transport.dispatch({ kind: 'back' });
    await page.until('credentials');
    expect(page.sent.map(({ kind }) => kind).slice(-2)).toEqual(['answer', 'back']);
    expect(views()).toBeGreaterThanOrEqual(4);
  });

  test('is reported once, regardless of the number of requests', async () => {
    await using page = openPage(service, atBank);
    await toSignIn(page);
    const { challenge } = await page.take(credentials('push'), 'challenge');
    expect(challenge.kind).toBe('approval');
    while (viewOf(page.model())?.state === 'challenge') {
      page.transport.dispatch({ kind: 'approval_poll' });
      await expect.poll(() => page.model().sending).toBeUndefined();
    }
    await shareAll(page);
    expect(page.events.map(([name]) => name)).toEqual([
      ...['opened', 'consent_given', 'institution_selected', 'credentials_submitted', 'challenge_shown'],
      ...['accounts_selected', 'import_started', 'connected'],
    ]);
    expect(page.events[4]![1]).toMatchObject({ challengeKind: 'approval' });
  });
});

test('the page has a strict content security policy and no inline code', async () => {
  const response = await fetch(
    `${service.url}/connect?application=${service.application.id}&origin=${hostOrigin}`,
  );
  const policy = response.headers.get('content-security-policy')!;
  expect(policy).toContain(`frame-ancestors ${hostOrigin}`);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|\*/);
  const html = await response.text();
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
});

test('the acknowledgement is retried until the service has it, even after the page is closed', async () => {
  let lost = 0;
  let isOffline = true;
  const acknowledged = Promise.withResolvers<number>();
  await using page = openPage(service, atBank, async (request, forward) => {
    if (!request.url.endsWith('/acknowledgement')) return forward();
    if (isOffline) {
      lost += 1;
      throw new TypeError('There is no network.');
    }
    const response = await forward();
    acknowledged.resolve(response.status);
    return response;
  });
  await toSignIn(page);
  await page.take(credentials('twins'), 'accounts');
  const { connectionId, scopedToken } = (await shareAll(page)).result;
  page.transport.acknowledgeResult();
  page.transport.dispose();
  await expect.poll(() => lost).toBeGreaterThan(1);
  isOffline = false;
  expect(await acknowledged.promise).toBe(204);
  const params = { path: { connectionId } };
  const { data } = await service.client(scopedToken).GET('/connections/{connectionId}', { params });
  expect(data?.connection.id).toBe(connectionId);
});

test('leaving asks at a challenge, at the choice of accounts, and during an import until that has ended', async () => {
  const shown = Promise.withResolvers<void>();
  let isHeld = false;
  await using page = openPage(service, atBank, async (request, forward) => {
    if (isHeld && request.method === 'GET') await shown.promise;
    return forward();
  });
  const question = () => leaveQuestion(page.model(), false);
  await toSignIn(page);
  expect([question(), leaveQuestion(page.model(), true)]).toEqual([undefined, en.leave.text('Shop')]);
  await page.take(credentials('otp'), 'challenge');
  expect(question()).toBe(en.leave.text('Shop'));
  const { accounts } = await page.take({ kind: 'answer', answer: '123456' }, 'accounts');
  expect(question()).toBe(en.leave.text('Shop'));
  isHeld = true;
  const accountIds = accounts.map(({ id }) => id);
  await page.take({ kind: 'selectAccounts', accountIds }, 'importing');
  expect(question()).toBe(en.leave.importing);
  page.transport.dispatch({ kind: 'leave_question', text: en.leave.importing });
  shown.resolve();
  await page.until('finished');
  expect([page.model().leaveQuestion, question()]).toEqual([undefined, undefined]);
});

describe('institutionId', () => {
  test('is selected after the consent, and the user can go back to the list', async () => {
    await using page = openPage(service, { institutionId: 'sandbox-savings' });
    expect((await toSignIn(page)).institution.id).toBe('sandbox-savings');
    expect(page.models.filter((model) => viewOf(model)?.state === 'institution')).toEqual([]);
    page.transport.dispatch({ kind: 'back' });
    await page.until('institution');
  });

  test('that the service does not know shows the list', async () => {
    await using page = openPage(service, { institutionId: 'no-such-bank' });
    await page.until('consent');
    await page.take({ kind: 'consent' }, 'institution');
    expect(page.events.map(([name]) => name)).toEqual(['opened', 'consent_given']);
    await page.take({ kind: 'selectInstitution', institutionId: 'sandbox-bank' }, 'credentials');
  });
});

test('a signed user id, as docs/widget.md signs it, can link and reconnect; a missing or wrong one is refused', async () => {
  const docs = readFileSync(join(import.meta.dirname, '../../docs/widget.md'), 'utf8');
  const line = /const userSignature = (signUser\([^;]+);/.exec(docs)![1];
  const run = new Function('signUser', 'process', 'user', 'connectionId', `return ${line}`);
  const { id: applicationId } = await service.addApplication({ origins: [hostOrigin] });
  const { db, secrets } = service.service;
  const application = (await findApplication(db.read, applicationId))!;
  const now = new Date(service.service.clock.real());
  const by = byOperator(application.organizationId, now);
  const created = await createIdentitySecret(db, secrets.identity, application, by);
  await changeApplication(db.write, created.application, { change: { identityRequired: true }, now });
  const sign = (id: string, connectionId?: string): string =>
    run(signUser, { env: { IDENTITY_SECRET: created.secret } }, { id }, connectionId);

  const externalUserId = 'user-1207';
  const open = (more: { userSignature?: string; connectionId?: string }) =>
    openPage(service, { ...atBank, applicationId, externalUserId, ...more });
  const reasonOf = async (more: Parameters<typeof open>[0]) => {
    await using page = open(more);
    await expect.poll(() => page.model().content.kind).toBe('failed');
    const { content } = page.model();
    return content.kind === 'failed' && content.reason;
  };
  expect(await reasonOf({})).toBe('unknown_user');
  expect(await reasonOf({ userSignature: sign('user-1208') })).toBe('unknown_user');
  await using page = open({ userSignature: sign(externalUserId) });
  await toSignIn(page);
  await page.take(credentials('twins'), 'accounts');
  const { result } = await shareAll(page);
  expect(result.user?.externalUserId).toBe(externalUserId);
  page.transport.acknowledgeResult();
  const { connectionId } = result;
  expect(await reasonOf({ connectionId, userSignature: sign(externalUserId) })).toBe('unknown_connection');
  await using again = open({ connectionId, userSignature: sign(externalUserId, connectionId) });
  expect(await again.until('credentials')).toMatchObject({ reconnect: true });
});
