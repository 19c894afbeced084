// The widget API of link sessions: authentication, the steps that each state allows, and that no step runs twice.
import { describe, expect, onTestFinished, test } from 'vitest';
import { type LinkSessionStatus, type LinkStep, linkSteps } from '../../src/flows/link/linkSession.ts';
import { seconds } from '../../src/platform/values/clock.ts';
import { makeId } from '../../src/platform/values/ids.ts';
import {
  driveToEnd,
  hostOrigin,
  openLinkSession,
  startService,
  type TestLinkSession,
} from '../support/testService.ts';
import {
  cancel,
  credentialsOf,
  describeLinking,
  describeLinkingOnce,
  eventually,
  finishSession,
  type LinkFixture,
  linkOptionsOf,
  openFinishedSession,
  openForm,
  requestWidgetApi,
  sessionRowOf,
  statusOf,
  tryStep,
} from './fixture.ts';

const steps: Record<LinkStep['kind'], LinkStep> = {
  consent: { kind: 'consent' },
  selectInstitution: { kind: 'selectInstitution', institutionId: 'north-bank' },
  credentials: credentialsOf('ada'),
  answer: { kind: 'answer', answer: '123456' },
  challengeAction: { kind: 'challengeAction', action: 'resend' },
  returned: { kind: 'returned', code: '7Q2M-K9XD' },
  selectAccounts: { kind: 'selectAccounts', accountIds: ['0'] },
  reconnect: { kind: 'reconnect' },
  back: { kind: 'back' },
  retry: { kind: 'retry' },
};

/** Opens a link session in each state. */
const sessionIn: Record<
  Exclude<LinkSessionStatus, 'ended'>,
  (fixture: LinkFixture) => Promise<TestLinkSession>
> = {
  consent: (fixture) => fixture.openSession(),
  institution: async (fixture) => takeSteps(await fixture.openSession(), steps.consent),
  credentials: (fixture) => openForm(fixture),
  challenge: (fixture) => fixture.openDrivenSession({ username: 'challenged' }),
  accounts: async (fixture) => takeSteps(await openForm(fixture), steps.credentials),
  importing: (fixture) => fixture.openDrivenSession(),
  finished: (fixture) => openFinishedSession(fixture, { username: 'other' }),
  failed: async (fixture) => {
    const session = await fixture.openDrivenSession({ username: 'challenged' });
    await takeSteps(session, steps.back);
    fixture.connector.setAccounts('empty', []);
    return takeSteps(session, credentialsOf('empty'));
  },
};

const takeSteps = async (session: TestLinkSession, ...stepsToTake: LinkStep[]): Promise<TestLinkSession> => {
  for (const step of stepsToTake) await session.step(step);
  return session;
};

const states = Object.keys(sessionIn) as (keyof typeof sessionIn)[];

/** Runs while imports of the user `ada` are paused, so that a session stays in state `importing`. */
const withImportsPaused = async (fixture: LinkFixture, run: () => Promise<void>): Promise<void> => {
  const release = fixture.connector.hold('ada', 'history');
  try {
    await run();
  } finally {
    release();
  }
};

const authenticationTests = (fixture: LinkFixture): void => {
  test('only the secret authenticates, and every wrong one gets the same response', async () => {
    const session = await fixture.openSession();
    const other = await fixture.openSession();
    const bodies = new Set<string>();
    const { secret } = session;
    const otherCharacter = (character: string) => (character === 'A' ? 'B' : 'A');
    const wrong = [
      '',
      'wrong',
      other.secret,
      otherCharacter(secret[0]!) + secret.slice(1),
      secret.slice(0, -1) + otherCharacter(secret.at(-1)!),
      `${secret}A`,
      secret.slice(1),
      session.id,
      fixture.application.apiKey,
    ];
    for (const one of [null, ...wrong]) {
      const { status, body } = await requestWidgetApi(fixture.service, `/${session.id}`, { secret: one });
      expect(status).toBe(401);
      bodies.add(JSON.stringify({ ...body, requestId: undefined }));
    }
    // The response does not reveal whether the session exists.
    for (const id of [
      makeId('lks'),
      'lks_',
      `${session.id}0`,
      encodeURIComponent('lks_\0'),
      'x'.repeat(101),
    ]) {
      const { status, body } = await requestWidgetApi(fixture.service, `/${id}`, { secret });
      expect(status).toBe(401);
      bodies.add(JSON.stringify({ ...body, requestId: undefined }));
    }
    expect([...bodies].map((body) => JSON.parse(body))).toMatchObject([
      { status: 401, code: 'unauthorized' },
    ]);
  });

  test('every operation needs the secret', async () => {
    const { id } = await fixture.openSession();
    const responses = [
      await requestWidgetApi(fixture.service, `/${id}`),
      await requestWidgetApi(fixture.service, `/${id}`, { method: 'DELETE' }),
      await requestWidgetApi(fixture.service, `/${id}/institutions`),
      await requestWidgetApi(fixture.service, `/${id}/acknowledgement`, { method: 'POST' }),
      await requestWidgetApi(fixture.service, `/${id}/steps`, {
        method: 'POST',
        body: { version: 1, step: steps.consent },
      }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  });

  test('a session expires 30 minutes after its last step', async () => {
    const session = await fixture.openSession();
    const secret = session.secret;
    fixture.service.advance(seconds(1799));
    await session.step(steps.consent);
    fixture.service.advance(seconds(1799));
    expect((await requestWidgetApi(fixture.service, `/${session.id}`, { secret })).status).toBe(200);
    fixture.service.advance(seconds(1));
    for (const response of [
      await requestWidgetApi(fixture.service, `/${session.id}`, { secret }),
      await tryStep(fixture, session, steps.selectInstitution),
    ]) {
      expect({ status: response.status, code: response.body.code }).toEqual({
        status: 410,
        code: 'session_expired',
      });
    }
  });

  test('a session does not expire while it is importing', async () => {
    await withImportsPaused(fixture, async () => {
      const session = await fixture.openDrivenSession();
      fixture.service.advance(seconds(3600));
      expect((await session.refresh()).state).toBe('importing');
    });
  });
};

const creationTests = (fixture: LinkFixture): void => {
  const start = (body: object) =>
    requestWidgetApi(fixture.service, '', {
      method: 'POST',
      body: { applicationId: fixture.application.id, origin: hostOrigin, ...body },
    });

  test('an origin that the application does not allow is refused', async () => {
    for (const origin of [
      'https://evil.example',
      'http://shop.example',
      `${hostOrigin}:8443`,
      `${hostOrigin}/`,
      'null',
      '',
    ]) {
      const { status, body } = await start({ origin });
      expect({ origin, status, code: body.code }).toEqual({
        origin,
        status: 403,
        code: 'origin_not_allowed',
      });
    }
  });

  test('an unknown application is not found', async () => {
    const { status, body } = await start({ applicationId: makeId('app') });
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' });
  });

  test('invalid input is named', async () => {
    const wrong: [object, string][] = [
      [{ externalUserId: '' }, '/body/externalUserId'],
      [{ externalUserId: 'x'.repeat(256) }, '/body/externalUserId'],
      [{ externalUserId: 'x\0y' }, '/body/externalUserId'],
      [{ externalUserId: 7 }, '/body/externalUserId'],
      [{ externalUserId: 'user-\ud800' }, '/body/externalUserId'],
      [{ applicationId: '' }, '/body/applicationId'],
      [{ applicationId: 'app_' }, '/body/applicationId'],
      [{ language: 'x'.repeat(36) }, '/body/language'],
      [{ more: 1 }, '/body/more'],
      ...['', 'con_', 'con_x', 'x\0y', `${makeId('con')}0`, makeId('acc')].map(
        (connectionId): [object, string] => [{ connectionId }, '/body/connectionId'],
      ),
    ];
    for (const [body, path] of wrong) {
      const response = await start(body);
      expect({ status: response.status, path: response.body.errors?.[0]?.path }).toEqual({
        status: 400,
        path,
      });
    }
    for (const body of ['{', '[]', '"text"', `{"applicationId":"${'x'.repeat(70_000)}"}`]) {
      expect((await requestWidgetApi(fixture.service, '', { method: 'POST', body })).status).toBe(400);
    }
  });

  test('a session starts with consent, and the response is not cached', async () => {
    const { status, headers, body } = await start({});
    expect(status).toBe(201);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(body).toMatchObject({
      session: { id: expect.stringMatching(/^lks_/), secret: expect.stringMatching(/^[\w-]{43}$/) },
      view: { version: 1, state: 'consent', reconnect: false, application: { environment: 'production' } },
    });
  });
};

const allowedStepTests = (fixture: LinkFixture): void => {
  test.each(states)('the state %s accepts only its allowed steps', async (state) => {
    await withImportsPaused(fixture, async () => {
      const session = await sessionIn[state](fixture);
      expect(session.view).toMatchObject({ state, steps: Object.keys(linkSteps[state]) });
      for (const [kind, step] of Object.entries(steps)) {
        if (kind in linkSteps[state]) continue;
        const { status, body } = await tryStep(fixture, session, step);
        expect({ kind, status, code: body.code }).toEqual({ kind, status: 409, code: 'conflict' });
      }
      // The refused steps have changed nothing.
      expect(await openLinkSession(fixture.service, { session })).toMatchObject({
        view: { state, version: session.view.version },
      });
    });
  });

  test('a step with another version is refused', async () => {
    const session = await sessionIn.institution(fixture);
    for (const version of [session.view.version - 1, session.view.version + 1, 1000]) {
      expect((await tryStep(fixture, session, steps.selectInstitution, version)).status).toBe(409);
    }
    for (const version of [0, -1, 1.5, '1', null, undefined]) {
      expect((await tryStep(fixture, session, steps.selectInstitution, version ?? null)).status).toBe(400);
    }
    expect((await tryStep(fixture, session, steps.selectInstitution)).status).toBe(200);
  });

  test('an invalid step changes nothing', async () => {
    const bank = await sessionIn.institution(fixture);
    const unknown = await tryStep(fixture, bank, {
      kind: 'selectInstitution',
      institutionId: 'no-such-bank',
    });
    expect({ status: unknown.status, path: unknown.body.errors[0].path }).toEqual({
      ...{ status: 400, path: '/body/step/institutionId' },
    });
    const credentials = await sessionIn.credentials(fixture);
    for (const values of [
      {},
      { username: 'ada' },
      { username: 'ada', password: '' },
      { username: 'ada', password: 'password', pin: '1' },
    ]) {
      expect((await tryStep(fixture, credentials, { kind: 'credentials', values })).status).toBe(400);
    }
    const accounts = await sessionIn.accounts(fixture);
    for (const accountIds of [[], ['7'], ['0', '7'], ['0', '0'], ['-1'], ['ada-main'], [0]]) {
      expect((await tryStep(fixture, accounts, { kind: 'selectAccounts', accountIds })).status).toBe(400);
    }
    for (const session of [bank, credentials, accounts]) {
      const { version, busy } = await session.refresh();
      expect({ version, busy }).toEqual({ version: session.view.version, busy: undefined });
      expect((await finishSession(fixture, session)).state).toBe('finished');
    }
  });

  test('back leads to the previous state and deletes the input', async () => {
    const session = await sessionIn.challenge(fixture);
    expect(await session.step(steps.back)).toMatchObject({ state: 'credentials' });
    expect(await session.step(steps.back)).toMatchObject({ state: 'institution' });
    expect(await session.step(steps.back)).toMatchObject({ state: 'consent' });
    expect((await finishSession(fixture, session)).state).toBe('finished');
  });

  test('a code is resent at most five times, and only if the bank offers it', async () => {
    const session = await sessionIn.challenge(fixture);
    const { challengeAction } = fixture.connector.callsOf('challenged');
    const other = await tryStep(fixture, session, { kind: 'challengeAction', action: 'otherMethod' });
    expect(other).toMatchObject({
      ...{ status: 400, body: { errors: [{ path: '/body/step/action' }] } },
    });
    for (let count = 1; count <= 5; count++) {
      const { challenge } = (await session.step(steps.challengeAction)) as { challenge: object };
      expect('resend' in challenge).toBe(count < 5);
    }
    expect((await tryStep(fixture, session, steps.challengeAction)).status).toBe(400);
    // A wrong answer does not start a new count, and the right answer is still accepted.
    await session.step({ kind: 'answer', answer: '000000' });
    expect((await tryStep(fixture, session, steps.challengeAction)).status).toBe(400);
    expect(fixture.connector.callsOf('challenged').challengeAction).toBe(challengeAction + 5);
    expect(await session.step(steps.answer)).toMatchObject({ state: 'accounts' });
  });
};

/** Opens the sign-in form for a separate user, whose sign-in the bank holds. */
const openHeldForm = async (fixture: LinkFixture) => {
  const username = fixture.newUser();
  const release = fixture.connector.hold(username, 'signIn');
  const countSignIns = () => fixture.connector.callsOf(username).signIn;
  return { session: await openForm(fixture), username, release, countSignIns };
};

const duplicateRequestTests = (fixture: LinkFixture): void => {
  test('when requests with the same step run concurrently, one calls the bank, and the others are refused', async () => {
    const { session, username, release, countSignIns } = await openHeldForm(fixture);
    const responses = Promise.all(
      Array.from({ length: 6 }, () => tryStep(fixture, session, credentialsOf(username))),
    );
    await eventually(() => expect(countSignIns()).toBe(1));
    expect(await session.refresh()).toMatchObject({ state: 'credentials', busy: true });
    release();
    const statuses = (await responses).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(countSignIns()).toBe(1);
    expect(await session.refresh()).toMatchObject({ state: 'accounts' });
  });

  test('the last step queues one import, even when it is sent several times', async () => {
    const session = await sessionIn.accounts(fixture);
    await withImportsPaused(fixture, async () => {
      const sent = await Promise.all(
        Array.from({ length: 5 }, () => tryStep(fixture, session, steps.selectAccounts)),
      );
      expect(sent.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
      expect(await fixture.db.read('jobs').where({ linkSessionId: session.id })).toHaveLength(1);
    });
  });

  test('a step continues when its page disconnects, and the page finds its result', async () => {
    const { session, username, release, countSignIns } = await openHeldForm(fixture);
    const disconnect = new AbortController();
    const sent = fetch(`${fixture.service.url}/connect/api/link-sessions/${session.id}/steps`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${session.secret}` },
      body: JSON.stringify({ version: session.view.version, step: credentialsOf(username) }),
      signal: disconnect.signal,
    });
    const rejected = expect(sent).rejects.toThrow();
    await eventually(() => expect(countSignIns()).toBe(1));
    disconnect.abort();
    await rejected;
    expect(await session.refresh()).toMatchObject({ state: 'credentials', busy: true });
    release();
    await eventually(async () => expect(await session.refresh()).toMatchObject({ state: 'accounts' }));
    expect(countSignIns()).toBe(1);
  });
};

const otherProcessTests = (fixture: LinkFixture): void => {
  test('another process runs the next step, in every state', async () => {
    const { config } = fixture.service.service;
    const other = await startService({
      existing: { databaseUrl: config.databaseUrl, secretsDir: config.secretsDir },
      connectors: [fixture.connector.module],
      worker: false,
    });
    // The clock of the first process, which earlier tests have moved.
    other.advance(fixture.service.service.clock.real().getTime() - Date.now());
    const linkOptions = linkOptionsOf(fixture.application, { username: 'challenged', answers: ['123456'] });
    try {
      const { id, secret } = await openLinkSession(other, linkOptions);
      // The steps alternate between the two processes.
      let count = 0;
      let view = (await openLinkSession(other, { session: { id, secret } })).view;
      const stepsToTake = [
        steps.consent,
        steps.selectInstitution,
        credentialsOf('challenged'),
        steps.answer,
        steps.selectAccounts,
      ];
      for (const step of stepsToTake) {
        const service = [fixture.service, other][count++ % 2]!;
        const session = await openLinkSession(service, { session: { id, secret } });
        expect(session.view).toEqual(view);
        view = await session.step(step);
      }
      const last = await openLinkSession(other, { session: { id, secret } });
      await last.waitForImport();
      expect(last.view).toMatchObject({ state: 'finished', result: { scopedToken: expect.any(String) } });
      expect((await last.acknowledge()).status).toBe(204);
    } finally {
      await other.close();
    }
  });
};

const cancelTests = (fixture: LinkFixture): void => {
  const deletedState = {
    state: 'failed',
    failure: 'cancelled',
    stateSealed: null,
    importRequestSealed: null,
    resultSealed: null,
  };

  test.each(states.filter((state) => state !== 'finished'))(
    'deletes everything in the state %s',
    async (state) => {
      await withImportsPaused(fixture, async () => {
        const session = await sessionIn[state](fixture);
        expect((await cancel(fixture, session)).status).toBe(204);
        const failure = session.view.state === 'failed' ? session.view.reason : 'cancelled';
        expect(await sessionRowOf(fixture, session)).toMatchObject({ ...deletedState, failure });
        expect((await cancel(fixture, session)).status).toBe(204);
        expect(await fixture.db.read('jobs').where({ linkSessionId: session.id })).toEqual([]);
        expect((await tryStep(fixture, session, steps.consent)).status).toBe(409);
      });
    },
  );

  test('leaves no connection of a running import', async () => {
    const username = fixture.newUser();
    const release = fixture.connector.hold(username, 'history');
    const session = await fixture.openDrivenSession({ username });
    const connectionId = (await sessionRowOf(fixture, session))!.connectionId!;
    await eventually(() => expect(fixture.connector.callsOf(username).history).toBe(1));
    await cancel(fixture, session);
    release();
    await fixture.untilDropped(connectionId);
    expect(await statusOf(fixture, connectionId)).toBe(404);
    for (const table of ['connections', 'resource_owners']) {
      expect(await fixture.db.read(table).where({ id: connectionId })).toEqual([]);
    }
  });

  test('keeps the result and the connection of a finished session', async () => {
    const session = await sessionIn.finished(fixture);
    expect((await cancel(fixture, session)).status).toBe(204);
    expect((await session.refresh()).state).toBe('finished');
    expect((await session.acknowledge()).status).toBe(204);
  });

  test('ignores the result of a step that was running', async () => {
    const { session, username, release, countSignIns } = await openHeldForm(fixture);
    const late = tryStep(fixture, session, credentialsOf(username));
    await eventually(() => expect(countSignIns()).toBe(1));
    await cancel(fixture, session);
    release();
    expect((await late).status).toBe(409);
    expect(await sessionRowOf(fixture, session)).toMatchObject(deletedState);
  });
};

describeLinking('a link session', (fixture) => {
  describe('duplicate requests', () => duplicateRequestTests(fixture));
  describe('in several processes', () => otherProcessTests(fixture));
  describe('cancelling', () => cancelTests(fixture));
});

describeLinkingOnce('a link session', (fixture) => {
  describe('authentication', () => authenticationTests(fixture));
  describe('creation', () => creationTests(fixture));
  describe('steps', () => allowedStepTests(fixture));

  test('a session has its own limit of requests a minute', async () => {
    const service = await startService({ limits: { widgetRequestsPerMinute: 3 }, worker: false });
    onTestFinished(service.close);
    // All requests are in one minute.
    service.advance(60_000 - (service.service.clock.real().getTime() % 60_000));
    const [one, other] = [await openLinkSession(service), await openLinkSession(service)];
    const read = async ({ id, secret }: TestLinkSession) =>
      (await requestWidgetApi(service, `/${id}`, { secret })).status;
    expect([await read(one), await read(one), await read(one), await read(one)]).toEqual([
      200, 200, 200, 429,
    ]);
    expect(await read(other)).toBe(200);
    service.advance(60_000);
    expect(await read(one)).toBe(200);
  });

  test('without institutions, the view reports it', async () => {
    const service = await startService({ connectors: [] });
    onTestFinished(service.close);
    const application = await service.addApplication({ environment: 'production' });
    const session = await openLinkSession(service, { applicationId: application.id });
    expect(await session.step(steps.consent)).toMatchObject({ state: 'institution', noInstitutions: true });
    const { secret } = session;
    const { body } = await requestWidgetApi(service, `/${session.id}/institutions`, { secret });
    expect(body).toEqual({ institutions: [] });
    const sandboxBank = { kind: 'selectInstitution', institutionId: 'sandbox-bank' };
    expect((await tryStep({ service }, session, sandboxBank)).status).toBe(400);
    // A sandbox application of the same service has the sandbox institutions.
    const sandbox = await openLinkSession(service);
    expect(await sandbox.step(steps.consent)).not.toHaveProperty('noInstitutions');
    expect((await driveToEnd(sandbox)).state).toBe('finished');
  });
});
