// A linking session as its page sees it: who may speak, which step is allowed where, and that no step is ever
// taken twice.
import { describe, expect, test } from 'vitest';
import { seconds } from '../../src/clock.ts';
import { makeId } from '../../src/ids.ts';
import { allowedSteps, type LinkSessionStatus, type LinkStep } from '../../src/linking/linkSession.ts';
import {
  driveToEnd,
  hostOrigin,
  openLinkSession,
  startService,
  type TestLinkSession,
} from '../support/testService.ts';
import {
  requestWidgetApi,
  describeLinking,
  eventually,
  finishSession,
  sessionRowOf,
  type LinkFixture,
  statusOf,
  tryStep,
  linkOptionsOf,
} from './fixture.ts';

const steps: Record<LinkStep['kind'], LinkStep> = {
  consent: { kind: 'consent' },
  selectInstitution: { kind: 'selectInstitution', institutionId: 'north-bank' },
  credentials: { kind: 'credentials', values: { username: 'ada', password: 'password' } },
  answer: { kind: 'answer', answer: '123456' },
  selectAccounts: { kind: 'selectAccounts', accountIds: ['0'] },
  back: { kind: 'back' },
  retry: { kind: 'retry' },
};

/** A session in each state that a page can see. */
const sessionIn: Record<
  Exclude<LinkSessionStatus, 'ended'>,
  (stage: LinkFixture) => Promise<TestLinkSession>
> = {
  consent: (stage) => stage.openSession(),
  institution: async (stage) => takeSteps(await stage.openSession(), steps.consent),
  credentials: async (stage) => takeSteps(await stage.openSession(), steps.consent, steps.selectInstitution),
  challenge: (stage) => stage.openDrivenSession({ username: 'asked' }),
  accounts: async (stage) =>
    takeSteps(await stage.openSession(), steps.consent, steps.selectInstitution, steps.credentials),
  importing: (stage) => stage.openDrivenSession(),
  finished: async (stage) => {
    const session = await stage.openDrivenSession();
    await session.waitForImport();
    return session;
  },
  failed: async (stage) => {
    const session = await stage.openDrivenSession({ username: 'asked' });
    await takeSteps(session, steps.back);
    stage.connector.setAccounts('empty', []);
    return takeSteps(session, { kind: 'credentials', values: { username: 'empty', password: 'password' } });
  },
};

const takeSteps = async (session: TestLinkSession, ...taken: LinkStep[]): Promise<TestLinkSession> => {
  for (const step of taken) await session.step(step);
  return session;
};

const states = Object.keys(sessionIn) as (keyof typeof sessionIn)[];

/** Runs with imports held back, so that a session stays in the state of importing. */
const withImportsHeld = async (stage: LinkFixture, work: () => Promise<void>): Promise<void> => {
  const release = stage.connector.hold('history');
  try {
    await work();
  } finally {
    release();
  }
};

const authenticationTests = (stage: LinkFixture): void => {
  test('only whoever has the secret: every other is refused in the same way', async () => {
    const session = await stage.openSession();
    const other = await stage.openSession();
    const bodies = new Set<string>();
    const wrong = [
      '',
      'wrong',
      other.secret,
      `${session.secret}A`,
      session.secret.slice(1),
      session.id,
      stage.shop.apiKey,
    ];
    for (const secret of [null, ...wrong]) {
      const { status, body } = await requestWidgetApi(stage.service, `/${session.id}`, { secret });
      expect(status).toBe(401);
      bodies.add(JSON.stringify({ ...body, requestId: undefined }));
    }
    // A session that is not there is refused like one whose secret is wrong.
    for (const id of [
      makeId('lks'),
      'lks_',
      `${session.id}0`,
      encodeURIComponent('lks_\0'),
      'x'.repeat(101),
    ]) {
      const { status, body } = await requestWidgetApi(stage.service, `/${id}`, { secret: session.secret });
      if (id.length > 100) expect(status).toBe(400);
      else bodies.add(JSON.stringify({ ...body, requestId: undefined }));
    }
    expect([...bodies].map((body) => JSON.parse(body))).toMatchObject([
      { status: 401, code: 'unauthorized' },
    ]);
  });

  test('no character of the secret may be another', async () => {
    const session = await stage.openSession();
    for (let at = 0; at < session.secret.length; at++) {
      const other = session.secret[at] === 'A' ? 'B' : 'A';
      const secret = session.secret.slice(0, at) + other + session.secret.slice(at + 1);
      expect((await requestWidgetApi(stage.service, `/${session.id}`, { secret })).status).toBe(401);
    }
  });

  test('each of its addresses needs the secret', async () => {
    const { id } = await stage.openSession();
    const asked = [
      await requestWidgetApi(stage.service, `/${id}`),
      await requestWidgetApi(stage.service, `/${id}`, { method: 'DELETE' }),
      await requestWidgetApi(stage.service, `/${id}/institutions`),
      await requestWidgetApi(stage.service, `/${id}/acknowledgement`, { method: 'POST' }),
      await requestWidgetApi(stage.service, `/${id}/steps`, {
        method: 'POST',
        body: { version: 1, step: steps.consent },
      }),
    ];
    expect(asked.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  });

  test('a session is over 30 minutes after its last step', async () => {
    const session = await stage.openSession();
    const secret = session.secret;
    stage.service.advance(seconds(1799));
    await session.step(steps.consent);
    stage.service.advance(seconds(1799));
    expect((await requestWidgetApi(stage.service, `/${session.id}`, { secret })).status).toBe(200);
    stage.service.advance(seconds(1));
    for (const answer of [
      await requestWidgetApi(stage.service, `/${session.id}`, { secret }),
      await tryStep(stage, session, steps.selectInstitution),
    ]) {
      expect({ status: answer.status, code: answer.body.code }).toEqual({
        status: 410,
        code: 'session_expired',
      });
    }
  });

  test('a session with its import under way is not over, however long that takes', async () => {
    await withImportsHeld(stage, async () => {
      const session = await stage.openDrivenSession();
      stage.service.advance(seconds(3600));
      expect((await session.refresh()).state).toBe('importing');
    });
  });
};

const creationTests = (stage: LinkFixture): void => {
  const start = (body: object) =>
    requestWidgetApi(stage.service, '', {
      method: 'POST',
      body: { applicationId: stage.shop.id, origin: hostOrigin, ...body },
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

  test('an application that is not there is not found', async () => {
    for (const applicationId of [makeId('app'), 'app_', 'x\0y', '']) {
      const { status, body } = await start({ applicationId });
      expect({ applicationId, status, code: body.code }).toEqual({
        applicationId,
        status: 404,
        code: 'not_found',
      });
    }
  });

  test('what cannot be used is named', async () => {
    const wrong: [object, string][] = [
      [{ externalUserId: '' }, '/body/externalUserId'],
      [{ externalUserId: 'x'.repeat(256) }, '/body/externalUserId'],
      [{ externalUserId: 'x\0y' }, '/body/externalUserId'],
      [{ externalUserId: 7 }, '/body/externalUserId'],
      [{ language: 'x'.repeat(36) }, '/body/language'],
      [{ more: 1 }, '/body/more'],
    ];
    for (const [body, path] of wrong) {
      const answer = await start(body);
      expect({ status: answer.status, path: answer.body.errors?.[0]?.path }).toEqual({ status: 400, path });
    }
    for (const body of ['{', '[]', '"text"', `{"applicationId":"${'x'.repeat(70_000)}"}`]) {
      expect((await requestWidgetApi(stage.service, '', { method: 'POST', body })).status).toBe(400);
    }
  });

  test('a session begins with consent, and its answer is kept by nobody', async () => {
    const { status, headers, body } = await start({});
    expect(status).toBe(201);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(body).toMatchObject({
      session: { id: expect.stringMatching(/^lks_/), secret: expect.stringMatching(/^[\w-]{43}$/) },
      view: { version: 1, state: 'consent', reconnect: false, application: { environment: 'production' } },
    });
  });
};

const allowedStepTests = (stage: LinkFixture): void => {
  test.each(states)('in the state %s only the steps of the table are taken', async (state) => {
    await withImportsHeld(stage, async () => {
      if (state === 'finished') return;
      const session = await sessionIn[state](stage);
      expect(session.view.state).toBe(state);
      for (const [kind, step] of Object.entries(steps)) {
        if (allowedSteps[state].includes(kind as LinkStep['kind'])) continue;
        const { status, body } = await tryStep(stage, session, step);
        expect({ kind, status, code: body.code }).toEqual({ kind, status: 409, code: 'conflict' });
      }
      // Nothing of that has changed it.
      expect(await openLinkSession(stage.service, { session })).toMatchObject({
        view: { state, version: session.view.version },
      });
    });
  });

  test('in the state finished no step is taken any more', async () => {
    const session = await sessionIn.finished(stage);
    for (const step of Object.values(steps)) expect((await tryStep(stage, session, step)).status).toBe(409);
  });

  test('a step on an older or a later view is refused', async () => {
    const session = await sessionIn.institution(stage);
    for (const version of [session.view.version - 1, session.view.version + 1, 1000]) {
      expect((await tryStep(stage, session, steps.selectInstitution, version)).status).toBe(409);
    }
    for (const version of [0, -1, 1.5, '1', null, undefined]) {
      expect((await tryStep(stage, session, steps.selectInstitution, version ?? null)).status).toBe(400);
    }
    expect((await tryStep(stage, session, steps.selectInstitution)).status).toBe(200);
  });

  test('a step that cannot be used leaves the session where it was', async () => {
    const bank = await sessionIn.institution(stage);
    const unknown = await tryStep(stage, bank, { kind: 'selectInstitution', institutionId: 'no-such-bank' });
    expect({ status: unknown.status, path: unknown.body.errors[0].path }).toEqual({
      ...{ status: 400, path: '/body/step/institutionId' },
    });
    const credentials = await sessionIn.credentials(stage);
    for (const values of [
      {},
      { username: 'ada' },
      { username: 'ada', password: '' },
      { username: 'ada', password: 'password', pin: '1' },
    ]) {
      expect((await tryStep(stage, credentials, { kind: 'credentials', values })).status).toBe(400);
    }
    const accounts = await sessionIn.accounts(stage);
    for (const accountIds of [[], ['7'], ['0', '7'], ['0', '0'], ['-1'], ['ada-main'], [0]]) {
      expect((await tryStep(stage, accounts, { kind: 'selectAccounts', accountIds })).status).toBe(400);
    }
    for (const session of [bank, credentials, accounts]) {
      const { version, busy } = await session.refresh();
      expect({ version, busy }).toEqual({ version: session.view.version, busy: undefined });
      expect((await finishSession(stage, session)).state).toBe('finished');
    }
  });

  test('back leads to the screen before, and forgets what was typed', async () => {
    const session = await sessionIn.challenge(stage);
    expect(await session.step(steps.back)).toMatchObject({ state: 'credentials' });
    expect(await session.step(steps.back)).toMatchObject({ state: 'institution' });
    expect(await session.step(steps.back)).toMatchObject({ state: 'consent' });
    expect((await finishSession(stage, session)).state).toBe('finished');
  });

  test('wrong credentials and wrong answers may be tried again, with what the bank says about it', async () => {
    const session = await sessionIn.credentials(stage);
    const wrong = { kind: 'credentials' as const, values: { username: 'asked', password: 'mistyped' } };
    expect(await session.step(wrong)).toMatchObject({
      ...{ state: 'credentials', error: { reason: 'wrong_credentials', attemptsLeft: 2 } },
    });
    expect(
      await session.step({ ...wrong, values: { username: 'asked', password: 'password' } }),
    ).toMatchObject({
      ...{ state: 'challenge', challenge: { kind: 'code', label: 'Code' } },
    });
    expect(await session.step({ kind: 'answer', answer: '000000' })).toMatchObject({
      ...{ state: 'challenge', error: { reason: 'wrong_answer' } },
    });
    expect(await session.step(steps.answer)).toMatchObject({ state: 'accounts' });
  });
};

const duplicateRequestTests = (stage: LinkFixture): void => {
  test('of several requests with the same step one asks the bank, and the others are refused', async () => {
    const session = await sessionIn.credentials(stage);
    const asked = stage.connector.calls.signIn;
    const release = stage.connector.hold('signIn');
    const trying = Promise.all(Array.from({ length: 6 }, () => tryStep(stage, session, steps.credentials)));
    await eventually(() => expect(stage.connector.calls.signIn).toBe(asked + 1));
    expect(await session.refresh()).toMatchObject({ state: 'credentials', busy: true });
    release();
    const statuses = (await trying).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(stage.connector.calls.signIn).toBe(asked + 1);
    expect(await session.refresh()).toMatchObject({ state: 'accounts' });
  });

  test('the last step queues one import, however often it is sent', async () => {
    const session = await sessionIn.accounts(stage);
    await withImportsHeld(stage, async () => {
      const sent = await Promise.all(
        Array.from({ length: 5 }, () => tryStep(stage, session, steps.selectAccounts)),
      );
      expect(sent.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
      expect(await stage.db.read('jobs').where({ link_session_id: session.id })).toHaveLength(1);
    });
  });

  test('a step whose answer is lost goes on, and the page finds what it led to', async () => {
    const session = await sessionIn.credentials(stage);
    const asked = stage.connector.calls.signIn;
    const release = stage.connector.hold('signIn');
    const leaving = new AbortController();
    const sent = fetch(`${stage.service.url}/connect/api/link-sessions/${session.id}/steps`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${session.secret}` },
      body: JSON.stringify({ version: session.view.version, step: steps.credentials }),
      signal: leaving.signal,
    });
    const lost = expect(sent).rejects.toThrow();
    await eventually(() => expect(stage.connector.calls.signIn).toBe(asked + 1));
    leaving.abort();
    await lost;
    expect(await session.refresh()).toMatchObject({ state: 'credentials', busy: true });
    release();
    await eventually(async () => expect(await session.refresh()).toMatchObject({ state: 'accounts' }));
    expect(stage.connector.calls.signIn).toBe(asked + 1);
  });
};

const otherProcessTests = (stage: LinkFixture): void => {
  test('another process takes the next step, in every state', async () => {
    const { config } = stage.service.service;
    const other = await startService({
      existing: { databaseUrl: config.databaseUrl, secretsDir: config.secretsDir },
      connectors: [stage.connector.connector],
      worker: false,
    });
    // One time for both, which earlier tests have moved.
    other.advance(stage.service.service.clock.real().getTime() - Date.now());
    const visit = linkOptionsOf(stage.shop, { username: 'asked', answers: ['123456'] });
    try {
      const { id, secret } = await openLinkSession(other, visit);
      // Every step at the other of the two.
      let at = 0;
      let view = (await openLinkSession(other, { session: { id, secret } })).view;
      const taken = [
        steps.consent,
        steps.selectInstitution,
        credentialsOf('asked'),
        steps.answer,
        steps.selectAccounts,
      ];
      for (const step of taken) {
        const here = [stage.service, other][at++ % 2]!;
        const session = await openLinkSession(here, { session: { id, secret } });
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

const credentialsOf = (username: string): LinkStep => ({
  kind: 'credentials',
  values: { username, password: 'password' },
});

const cancelTests = (stage: LinkFixture): void => {
  const abandon = ({ id, secret }: TestLinkSession) =>
    requestWidgetApi(stage.service, `/${id}`, { method: 'DELETE', secret });
  const forgotten = {
    state: 'failed',
    failure: 'cancelled',
    state_sealed: null,
    import_request_sealed: null,
    result_sealed: null,
  };

  test.each(states.filter((state) => state !== 'finished'))(
    'in the state %s everything is forgotten',
    async (state) => {
      await withImportsHeld(stage, async () => {
        const session = await sessionIn[state](stage);
        expect((await abandon(session)).status).toBe(204);
        expect(await sessionRowOf(stage, session)).toMatchObject(forgotten);
        expect((await abandon(session)).status).toBe(204);
        expect(await stage.db.read('jobs').where({ link_session_id: session.id })).toEqual([]);
        expect((await tryStep(stage, session, steps.consent)).status).toBe(409);
      });
    },
  );

  test('an import that is under way leaves no connection', async () => {
    const release = stage.connector.hold('history');
    const session = await stage.openDrivenSession();
    const { connection_id } = await sessionRowOf(stage, session);
    const asked = stage.connector.calls.history;
    await eventually(() => expect(stage.connector.calls.history).toBeGreaterThanOrEqual(asked));
    await abandon(session);
    release();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await statusOf(stage, connection_id)).toBe(404);
    for (const table of ['connections', 'resource_owners']) {
      expect(await stage.db.read(table).where({ id: connection_id })).toEqual([]);
    }
  });

  test('a session that has finished keeps its result and its connection', async () => {
    const session = await sessionIn.finished(stage);
    expect((await abandon(session)).status).toBe(204);
    expect((await session.refresh()).state).toBe('finished');
    expect((await session.acknowledge()).status).toBe(204);
  });

  test('a step that comes back from the bank afterwards changes nothing', async () => {
    const session = await sessionIn.credentials(stage);
    const asked = stage.connector.calls.signIn;
    const release = stage.connector.hold('signIn');
    const late = tryStep(stage, session, steps.credentials);
    await eventually(() => expect(stage.connector.calls.signIn).toBe(asked + 1));
    await abandon(session);
    release();
    expect((await late).status).toBe(409);
    expect(await sessionRowOf(stage, session)).toMatchObject(forgotten);
  });
};

describeLinking('a linking session', (stage) => {
  describe('is spoken for by', () => authenticationTests(stage));
  describe('when it is started', () => creationTests(stage));
  describe('takes steps', () => allowedStepTests(stage));
  describe('takes no step twice', () => duplicateRequestTests(stage));
  describe('lives in the database', () => otherProcessTests(stage));
  describe('that is given up', () => cancelTests(stage));

  describe('of an application without banks', () => {
    test('says so where the banks would be', async () => {
      const bare = await startService({ database: undefined, connectors: [] });
      try {
        const application = await bare.addApplication({ environment: 'production' });
        const session = await openLinkSession(bare, { applicationId: application.id });
        expect(await session.step(steps.consent)).toMatchObject({
          state: 'institution',
          noInstitutions: true,
        });
        const { body } = await requestWidgetApi(bare, `/${session.id}/institutions`, {
          secret: session.secret,
        });
        expect(body).toEqual({ institutions: [] });
        expect(
          (
            await tryStep({ service: bare } as LinkFixture, session, {
              kind: 'selectInstitution',
              institutionId: 'sandbox-bank',
            })
          ).status,
        ).toBe(400);
        // A Sandbox application beside it has the sandbox's.
        const sandbox = await openLinkSession(bare);
        expect(await sandbox.step(steps.consent)).not.toHaveProperty('noInstitutions');
        expect((await driveToEnd(sandbox)).state).toBe('finished');
      } finally {
        await bare.close();
      }
    });
  });
});
