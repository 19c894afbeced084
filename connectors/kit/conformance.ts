// The conformance suite: Vitest tests of the contract in contract.ts. The test of a connector is one call of `describeConnector`
// with the credentials of an institution's test users.
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  accountSubtypes,
  type BankAccount,
  type BankTransaction,
  type CallContext,
  type Challenge,
  type ChallengeAction,
  type Connector,
  type Credentials,
  type History,
  type Institution,
  type InstitutionRef,
  type Reading,
  type ReturnTo,
  type SignInResult,
} from './contract.ts';
import { fromDayNumber, toDayNumber, toIsoDate } from './days.ts';
import { isDecimal } from './decimal.ts';
import { type ConnectorModule, findInstitutionProblem, findModuleProblem } from './defineConnector.ts';
import { BankRefused, BankUnreachable } from './errors.ts';

export type ConnectorOptions = {
  /** Creates a new instance. The suite uses a new one at each point where the service may continue in another process. */
  connect(): ConnectorModule;
  institutionId: string;
  /**
   * A user with at least one account and some transactions, without a challenge or with challenges that `pass` answers. If the
   * credentials are valid only once: a function that creates new ones.
   */
  user: Credentials | (() => Promise<Credentials>);
  /** Answers a challenge of an institution that always has one, such as its own page. */
  pass?(challenge: Challenge): Promise<string>;
  /** True if the user can sign in unattended, as refreshes do. */
  unattended: boolean;
  /** The same user with a wrong password; undefined if the institution has no fields. */
  wrong: Credentials | undefined;
  /** Users with challenges, and the answers; empty if the institution has no challenges. */
  challenged: {
    name: string;
    user: Credentials;
    answer(challenge: Challenge): string;
    /** The institution's reaction to a wrong answer; undefined if every answer is correct, as for an approval. */
    wrongAnswer: { answer: string; leadsTo: 'sameChallenge' | 'end' } | undefined;
  }[];
  /** A user with one account that does not respond to an unattended read at this time; undefined if there is no such user. */
  lagging?: { user: Credentials; now: Date };
  /** A user whose unattended read exceeds a rate limit at this time; undefined if there is no such user. */
  limited?: { user: Credentials; now: Date };
  /** True if the institution has consents, which end and can be revoked. */
  consents?: true;
  /** A user with challenges before transactions are returned, and the answers; undefined if there is no such user. */
  asked?: { user: Credentials; answer(challenge: Challenge): string };
  /** The time of all calls. */
  now: Date;
};

export const describeConnector = (name: string, options: ConnectorOptions): void => {
  describe(`${name} fulfils the connector contract`, () => {
    describe('institutions', () => institutionTests(options));
    describe('signIn', () => signInTests(options));
    for (const challenged of options.challenged) {
      describe(`the challenges of ${challenged.name}`, () => challengeTests(options, challenged));
    }
    describe('accounts', () => accountTests(options));
    describe('read', () => readTests(options));
    if (options.lagging) laggingTests(options, options.lagging);
    if (options.limited) limitTests(options, options.limited);
    if (options.consents) consentTests(options);
    if (options.asked) approvalTests(options, options.asked);
    describe('abort', () => abortTests(options));
  });
};

const challengesMax = 20;
const pollsMax = 60;
const chunkMax = 1_000;
const idPattern = /^[a-z0-9][a-z0-9-]{0,62}$/;
const datePattern = /^\d{4}-\d\d-\d\d$/;

type ChallengedUser = ConnectorOptions['challenged'][number];

const organizationId = 'org_0000000000000000000000';
const returnTo: ReturnTo = { url: 'http://127.0.0.1/connect/return', state: 'the state' };
const redirectUrlBytesMax = 8192;
const callAt = (now: Date, signal = new AbortController().signal): CallContext => ({
  signal,
  now,
  organizationId,
  returnTo,
});

const newCredentials = async ({ user }: ConnectorOptions): Promise<Credentials> =>
  typeof user === 'function' ? user() : user;

/** The institutions of the fixed list and of the directory. */
const institutionsOf = async ({ connect, now }: ConnectorOptions): Promise<Institution[]> => {
  const { institutions, directory } = connect();
  return [...institutions, ...((await directory?.(callAt(now))) ?? [])];
};

const institutionOf = async (options: ConnectorOptions): Promise<InstitutionRef> => {
  const found = (await institutionsOf(options)).find(({ id }) => id === options.institutionId)!;
  return { id: found.id, ref: found.ref };
};

const signInWith = async (
  options: ConnectorOptions,
  credentials: Credentials,
  more: { attended?: boolean; deviceToken?: string } = {},
): Promise<SignInResult> => {
  const { connect, now, pass } = options;
  const institution = await institutionOf(options);
  const request = frozen({ institution, credentials, attended: true, ...more });
  let step = await connect().connector.signIn(request, callAt(now));
  for (let steps = 0; pass && step.kind === 'challenge'; steps++) {
    expect(steps).toBeLessThan(challengesMax);
    expectChallenge(step.challenge);
    step = await sendAnswer(options, step.challengeState, await pass(step.challenge));
  }
  return step;
};

/** The access for the user without a challenge. */
const accessOf = async (options: ConnectorOptions): Promise<string> => {
  const signedIn = await signInWith(options, await newCredentials(options));
  if (signedIn.kind !== 'signedIn') throw new Error('This user should have no challenge.');
  return signedIn.access;
};

const institutionTests = (options: ConnectorOptions): void => {
  const { connect, institutionId } = options;
  test('have valid unique ids, names, and fields with at least one secret', async () => {
    const institutions = await institutionsOf(options);
    expect(institutions.map(({ id }) => id)).toContain(institutionId);
    expect(new Set(institutions.map(({ id }) => id)).size).toBe(institutions.length);
    for (const institution of institutions) {
      expect(institution.id).toMatch(idPattern);
      expect(institution.name.trim()).not.toBe('');
      const names = institution.fields.map((field) => field.name);
      expect(new Set(names).size).toBe(names.length);
      expect(institution.fields.every((field) => field.name !== '' && field.label !== '')).toBe(true);
      // Without fields, the end user signs in only on the institution's own page.
      expect(institution.fields.length === 0 || institution.fields.some(({ secret }) => secret)).toBe(true);
    }
  });

  test('have valid logos, colors, countries, aliases, codes and help addresses, if any', () => {
    expect(findModuleProblem(connect())).toBeUndefined();
  });

  test('in a directory are valid', async () => {
    expect((await institutionsOf(options)).flatMap((one) => findInstitutionProblem(one) ?? [])).toEqual([]);
  });

  test('are the same in every instance and on each call of a directory', async () => {
    expect(connect().institutions).toEqual(connect().institutions);
    const idsOf = async () => (await institutionsOf(options)).map(({ id }) => id).sort();
    expect(await idsOf()).toEqual(await idsOf());
  });
};

const signInTests = (options: ConnectorOptions): void => {
  const { unattended } = options;

  test('signs in with correct credentials while the end user is present', async () => {
    expectSignedIn(await signInWith(options, await newCredentials(options)));
  });

  test(
    unattended
      ? 'signs in unattended, as often as necessary, with the device token that it returned'
      : 'refuses an unattended sign-in as user_action_required',
    async () => {
      const credentials = await newCredentials(options);
      let { deviceToken } = expectSignedIn(await signInWith(options, credentials));
      for (let count = 0; count < 2; count++) {
        const again = signInWith(options, credentials, { attended: false, deviceToken });
        if (unattended) deviceToken = expectSignedIn(await again).deviceToken ?? deviceToken;
        else expect((await refusalOf(again)).reason).toBe('user_action_required');
      }
    },
  );

  if (typeof options.user === 'function') {
    test('refuses used credentials without their device token as wrong_credentials', async () => {
      const credentials = await newCredentials(options);
      expectSignedIn(await signInWith(options, credentials));
      expect((await refusalOf(signInWith(options, credentials))).reason).toBe('wrong_credentials');
    });
  } else {
    const { user } = options;
    test('signs in again with the same credentials', async () => {
      for (let count = 0; count < 2; count++) expectSignedIn(await signInWith(options, user));
    });
  }

  const { wrong } = options;
  if (wrong) {
    test('refuses a wrong password as wrong_credentials, attended or not', async () => {
      for (const attended of unattended ? [true, false] : [true]) {
        const refused = await refusalOf(signInWith(options, wrong, { attended }));
        expect(refused.reason).toBe('wrong_credentials');
        if (refused.attemptsLeft !== undefined) expect(refused.attemptsLeft).toBeGreaterThanOrEqual(0);
      }
    });

    test('refuses empty credentials as wrong_credentials', async () => {
      expect((await refusalOf(signInWith(options, {}))).reason).toBe('wrong_credentials');
    });
  }

  test('refuses access and challenge states that it never returned', async () => {
    const { connector } = options.connect();
    const call = callAt(options.now);
    for (const text of ['', 'x', '{}', 'null', '[1]']) {
      await expectBankError(connector.accounts(text, call));
      await expectBankError(connector.read(text, {}, call));
      await expectBankError(connector.answer({ challengeState: text, answer: '1' }, call));
    }
  });
};

const sendAnswer = (
  { connect, now }: ConnectorOptions,
  challengeState: string,
  answer: string,
): Promise<SignInResult> => connect().connector.answer(frozen({ challengeState, answer }), callAt(now));

const challengeTests = (options: ConnectorOptions, challenged: ChallengedUser): void => {
  const passAll = async (): Promise<SignInResult & { kind: 'signedIn' }> => {
    let step = await signInWith(options, challenged.user);
    expect(step.kind).toBe('challenge');
    let polls = 0;
    for (let steps = 0; step.kind === 'challenge'; steps++) {
      expect(steps).toBeLessThan(challengesMax + pollsMax);
      expectChallenge(step.challenge);
      expect(step.retry).toBeUndefined();
      if (step.challenge.kind === 'approval' && polls++ > 0) await waitSeconds(step.challenge.pollSeconds);
      step = await sendAnswer(options, step.challengeState, challenged.answer(step.challenge));
    }
    return expectSignedIn(step);
  };

  test('are passed by correct answers, each in a different process', async () => {
    const { access, deviceToken } = await passAll();
    if (options.unattended) expect(deviceToken, 'needed for unattended refreshes').toBeDefined();
    const accounts = await options.connect().connector.accounts(access, callAt(options.now));
    for (const account of accounts) expectAccount(account);
  });

  if (options.unattended) {
    test('do not occur on a known device, even unattended', async () => {
      const { deviceToken } = await passAll();
      expectSignedIn(await signInWith(options, challenged.user, { attended: false, deviceToken }));
    });
  }

  test('never occur unattended', async () => {
    for (const deviceToken of [undefined, 'another token']) {
      const refused = await refusalOf(signInWith(options, challenged.user, { attended: false, deviceToken }));
      expect(refused.reason).toBe('user_action_required');
    }
  });
  actionTests(options, challenged);
  const { wrongAnswer } = challenged;
  if (wrongAnswer?.leadsTo === 'sameChallenge') wrongAnswerTests(options, challenged, wrongAnswer.answer);
  if (wrongAnswer?.leadsTo === 'end') {
    test('end the sign-in after a wrong answer', async () => {
      const { challengeState } = await firstChallengeOf(options, challenged);
      const refused = await refusalOf(sendAnswer(options, challengeState, wrongAnswer.answer));
      expect(refused.reason).toBe('wrong_answer');
    });
  }
};

type ChallengeResult = SignInResult & { kind: 'challenge' };

const expectChallengeResult = (step: SignInResult): ChallengeResult => {
  if (step.kind !== 'challenge') throw new Error('Expected a challenge.');
  return step;
};

const firstChallengeOf = async (
  options: ConnectorOptions,
  { user }: ChallengedUser,
): Promise<ChallengeResult> => expectChallengeResult(await signInWith(options, user));

const actionTests = (options: ConnectorOptions, challenged: ChallengedUser): void => {
  const act = async (
    { challenge, challengeState }: ChallengeResult,
    action: ChallengeAction,
  ): Promise<ChallengeResult> => {
    const { connector } = options.connect();
    expect(connector.challengeAction, 'needed, because a challenge has actions').toBeDefined();
    const request = frozen({ challengeState, action });
    const next = expectChallengeResult(await connector.challengeAction!(request, callAt(options.now)));
    expectChallenge(next.challenge);
    expect(next.retry).toBeUndefined();
    const { resend: _, otherMethod: __, ...before } = challenge;
    const { resend: ___, otherMethod: ____, ...after } = next.challenge;
    expect(isDeepStrictEqual(after, before)).toBe(action === 'resend');
    return next;
  };

  test('execute each of their actions and can still be passed', async () => {
    let step: SignInResult = await firstChallengeOf(options, challenged);
    const done = new Set<string>();
    for (let steps = 0; step.kind === 'challenge'; steps++) {
      expect(steps).toBeLessThan(challengesMax + pollsMax);
      const { challenge } = step;
      const actions = (['resend', 'otherMethod'] as const).filter((action) => challenge[action]);
      const action = actions.find((one) => !done.has(`${one} ${challenge.label}`));
      if (action) {
        done.add(`${action} ${challenge.label}`);
        step = await act(step, action);
        continue;
      }
      if (challenge.kind === 'approval') await waitSeconds(challenge.pollSeconds);
      step = await sendAnswer(options, step.challengeState, challenged.answer(challenge));
    }
  });
};

const wrongAnswerTests = (
  options: ConnectorOptions,
  challenged: ChallengedUser,
  wrongAnswer: string,
): void => {
  test('repeat after a wrong answer with fewer attempts left, until the sign-in is refused', async () => {
    let step = await signInWith(options, challenged.user);
    if (step.kind !== 'challenge') throw new Error('This user should have a challenge.');
    const { challenge } = step;
    let attemptsLeft: number | null = null;
    for (let attempts = 1; ; attempts++) {
      expect(attempts).toBeLessThan(challengesMax);
      const next: SignInResult | BankRefused = await sendAnswer(
        options,
        step.challengeState,
        wrongAnswer,
      ).catch(asRefusal);
      if (next instanceof BankRefused) {
        expect(next.reason).toBe('wrong_answer');
        expect(attempts).toBeGreaterThan(1);
        return;
      }
      if (next.kind !== 'challenge') throw new Error('A wrong answer should not sign in.');
      expect(next.challenge).toEqual(challenge);
      const left: number | null | undefined = next.retry?.attemptsLeft;
      expect(left).not.toBeUndefined();
      if (typeof left === 'number') expect(left).toBeLessThan(attemptsLeft ?? Number.POSITIVE_INFINITY);
      attemptsLeft = left ?? null;
      step = next;
    }
  });

  test('can still be passed after one wrong answer', async () => {
    const first = await signInWith(options, challenged.user);
    if (first.kind !== 'challenge') throw new Error('This user should have a challenge.');
    let step = await sendAnswer(options, first.challengeState, wrongAnswer);
    for (let steps = 0; step.kind === 'challenge' && steps < challengesMax; steps++) {
      step = await sendAnswer(options, step.challengeState, challenged.answer(step.challenge));
    }
    expectSignedIn(step);
  });
};

const accountTests = (options: ConnectorOptions): void => {
  test('have all required fields', async () => {
    const accounts = await options.connect().connector.accounts(await accessOf(options), callAt(options.now));
    expect(accounts.length).toBeGreaterThan(0);
    for (const account of accounts) expectAccount(account);
    expect(new Set(accounts.map(({ id }) => id)).size).toBe(accounts.length);
    expectJsonSafe(accounts);
  });

  test('are the same, in the same order, in each process and after each sign-in', async () => {
    const access = await accessOf(options);
    const first = await options.connect().connector.accounts(access, callAt(options.now));
    expect(await options.connect().connector.accounts(access, callAt(options.now))).toEqual(first);
    const ids = (accounts: BankAccount[]): string[] => accounts.map(({ id }) => id);
    expect(
      ids(await options.connect().connector.accounts(await accessOf(options), callAt(options.now))),
    ).toEqual(ids(first));
  });

  test('are new objects on each call, so the caller may change them', async () => {
    const { connector } = options.connect();
    const access = await accessOf(options);
    const accounts = await connector.accounts(access, callAt(options.now));
    const copy = structuredClone(accounts);
    for (const { balance } of accounts) if (balance) Object.assign(balance, { current: '0' }, { limit: '0' });
    accounts.length = 0;
    expect(await connector.accounts(access, callAt(options.now))).toEqual(copy);
  });
};

type ReadRequest = Parameters<Connector['read']>[1];

/** Starts a conversation in a new instance. */
const read = (
  { connect, now }: ConnectorOptions,
  access: string,
  request: ReadRequest = {},
): Promise<Reading> => connect().connector.read(access, frozen(request), callAt(now));

type ReadAccount = { account: BankAccount; history: History; transactions: BankTransaction[] };

/** Everything that one conversation returns. */
const readAll = async (
  options: ConnectorOptions,
  access: string,
  request: ReadRequest = {},
): Promise<ReadAccount[]> => {
  const reading = await read(options, access, request);
  const all: ReadAccount[] = [];
  for (const account of reading.accounts) {
    const history = await reading.history(account.id);
    all.push({ account, history, transactions: await readHistory(history) });
  }
  for (const { account } of all)
    expectAccount({ ...account, balance: account.balance ?? (await reading.balance?.(account.id)) });
  expectJsonSafe(await reading.end());
  return all;
};

const readTests = (options: ConnectorOptions): void => {
  test('returns the accounts of `accounts` in the same order, and only the requested ones', async () => {
    const access = await accessOf(options);
    const accounts = await options.connect().connector.accounts(access, callAt(options.now));
    const all = await readAll(options, access);
    expect(all.map(({ account }) => account)).toEqual(accounts);
    for (const account of accounts) {
      const one = await readAll(options, access, { accountIds: [account.id] });
      expect(one.map((read) => read.account)).toEqual([account]);
    }
  });

  test('returns histories in chunks, with valid transactions', async () => {
    const all = await readAll(options, await accessOf(options));
    for (const { history, transactions } of all) {
      const { completeFrom, completeTo, count } = history;
      expect(completeFrom === undefined).toBe(completeTo === undefined);
      if (completeFrom !== undefined) expect(completeFrom).toMatch(datePattern);
      if (completeTo !== undefined) expect(completeTo).toMatch(datePattern);
      expect(transactions.flatMap((transaction) => problemsOf(transaction, completeFrom))).toEqual([]);
      if (count !== undefined) expect(transactions.length).toBe(count);
      const ids = transactions.flatMap(({ id }) => (id === undefined ? [] : [id]));
      expect(new Set(ids).size).toBe(ids.length);
      expectJsonSafe(transactions);
    }
    const total = all.reduce((sum, { transactions }) => sum + transactions.length, 0);
    expect(total, 'the user needs transactions').toBeGreaterThan(0);
  });

  test('returns the same in another process, and after an approval without challenges', async () => {
    const access = await accessOf(options);
    const [first, again] = [await readAll(options, access), await readAll(options, access)];
    const comparable = (all: ReadAccount[]) =>
      all.map(({ history: { chunks: _, ...history }, transactions }) => ({ history, transactions }));
    expectEqual(comparable(again), comparable(first));
    if (!options.connect().connector.approveReading) return;
    const accountIds = first.map(({ account }) => account.id);
    const approved = expectSignedIn(await approveReading(options, access, accountIds));
    const sinceFirst = (all: ReadAccount[]) =>
      all.map(({ account, transactions }, index) => {
        const { completeFrom = '' } = first[index]!.history;
        return { account, transactions: transactions.filter(({ date }) => date >= completeFrom) };
      });
    // After an approval, the history may reach further back.
    expectEqual(sinceFirst(await readAll(options, approved.access)), sinceFirst(first));
  });

  test('with `since` returns the part of the complete history from that date on', async () => {
    const access = await accessOf(options);
    for (const { account, history: complete, transactions } of await readAll(options, access)) {
      const { completeFrom = '' } = complete;
      const middle = transactions[Math.floor(transactions.length / 2)]?.date;
      for (const since of sinceDates(completeFrom, middle, options.now)) {
        const [part] = await readAll(options, access, { accountIds: [account.id], since });
        if (completeFrom)
          expect(part!.history.completeFrom).toBe(since > completeFrom ? since : completeFrom);
        expect(part!.history.completeTo).toBe(complete.completeTo);
        const expected = transactions.filter(({ date }) => date >= since);
        expectEqual(groupByDate(part!.transactions), groupByDate(expected), `since ${since}`);
        if (part!.history.count !== undefined) expect(part!.history.count).toBe(expected.length);
      }
    }
  });

  test('fails for an unknown account instead of returning an empty list', async () => {
    const access = await accessOf(options);
    const accountIds = ['no such account'];
    await expect(read(options, access, { accountIds })).rejects.toBeInstanceOf(BankUnreachable);
    const reading = await read(options, access);
    await expect(reading.history('no such account').then(readHistory)).rejects.toBeInstanceOf(
      BankUnreachable,
    );
    await reading.end();
  });

  test('continues with the next account after an abandoned one, and can end at any time', async () => {
    const access = await accessOf(options);
    const reading = await read(options, access);
    for (const { id } of reading.accounts) {
      const { chunks } = await reading.history(id);
      for await (const _ of chunks) break;
    }
    await reading.end();
    await (await read(options, access)).end();
  });

  test('may renew the access and the device token for other processes', async () => {
    const credentials = await newCredentials(options);
    let { access } = expectSignedIn(await signInWith(options, credentials));
    let deviceToken: string | undefined;
    for (let times = 0; times < 3; times++) {
      const reading = await read(options, access);
      const renewal = await reading.end();
      expect(renewal.access).not.toBe('');
      expect(renewal.deviceToken).not.toBe('');
      access = renewal.access ?? access;
      deviceToken = renewal.deviceToken ?? deviceToken;
    }
    expect((await readAll(options, access)).length).toBeGreaterThan(0);
    if (!options.unattended || deviceToken === undefined) return;
    expectSignedIn(await signInWith(options, credentials, { attended: false, deviceToken }));
  });
};

const approveReading = (
  { connect, now }: ConnectorOptions,
  access: string,
  accountIds: readonly string[],
): Promise<SignInResult> => connect().connector.approveReading!(frozen({ access, accountIds }), callAt(now));

const approvalTests = (options: ConnectorOptions, asked: NonNullable<ConnectorOptions['asked']>): void => {
  test('challenges before reading are answered in different processes, and all accounts are read', async () => {
    const { access, deviceToken } = expectSignedIn(await signInWith(options, asked.user));
    const accounts = await options.connect().connector.accounts(access, callAt(options.now));
    const accountIds = accounts.map(({ id }) => id);
    let step = expectChallengeResult(await approveReading(options, access, accountIds)) as SignInResult;
    for (let steps = 0; step.kind === 'challenge'; steps++) {
      expect(steps).toBeLessThan(challengesMax);
      expectChallenge(step.challenge);
      step = await sendAnswer(options, step.challengeState, asked.answer(step.challenge));
    }
    const all = await readAll(options, expectSignedIn(step).access, { accountIds });
    expect(all.map(({ account }) => account.id)).toEqual(accountIds);
    for (const { history, transactions } of all)
      expect(transactions.flatMap((one) => problemsOf(one, history.completeFrom))).toEqual([]);

    // An absent user is not asked.
    const unattended = signInWith(options, asked.user, { attended: false, deviceToken });
    const refused = await refusalOf(
      unattended.then((result) => readAll(options, expectSignedIn(result).access)),
    );
    expect(refused.reason).toBe('user_action_required');
  });
};

const laggingTests = (
  options: ConnectorOptions,
  { user, now }: NonNullable<ConnectorOptions['lagging']>,
): void => {
  test('an account that does not respond does not prevent reading the others', async () => {
    const at = { ...options, now };
    const attended = expectSignedIn(await signInWith(at, user));
    const { deviceToken } = attended;
    const { access } = expectSignedIn(await signInWith(at, user, { attended: false, deviceToken }));
    const reading = await read(at, access);
    const answered: boolean[] = [];
    for (const { id } of reading.accounts) {
      const failure = await reading
        .history(id)
        .then(readHistory)
        .then(() => undefined)
        .catch((error: unknown) => error);
      if (failure !== undefined) expect(failure).toBeInstanceOf(BankUnreachable);
      answered.push(failure === undefined);
    }
    await reading.end();
    expect(new Set(answered)).toEqual(new Set([true, false]));
  });
};

const limitTests = (
  options: ConnectorOptions,
  { user, now }: NonNullable<ConnectorOptions['limited']>,
): void => {
  test('reports the scope of a rate limit, and its end if known', async () => {
    const at = { ...options, now };
    const { deviceToken } = expectSignedIn(await signInWith(at, user));
    const readUnattended = async () => {
      const { access } = expectSignedIn(await signInWith(at, user, { attended: false, deviceToken }));
      const reading = await read(at, access);
      for (const { id } of reading.accounts) await readHistory(await reading.history(id));
    };
    const error = await readUnattended().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ reason: 'rate_limited', rateLimit: { scope: expect.any(String) } });
    const { until } = (error as BankUnreachable).rateLimit!;
    if (until !== undefined) expect(until.getTime()).toBeGreaterThan(now.getTime());
  });
};

const consentTests = (options: ConnectorOptions): void => {
  test('a consent has an end, and nothing can be read after it is revoked, even twice', async () => {
    const { now } = options;
    const credentials = await newCredentials(options);
    const { access, deviceToken, expiresAt } = expectSignedIn(await signInWith(options, credentials));
    expect(Date.parse(expiresAt!)).toBeGreaterThan(now.getTime());
    for (const connector of [options.connect().connector, options.connect().connector])
      await connector.revoke!(frozen({ access, deviceToken }), callAt(now));
    const readAgain = async () => {
      const again = await signInWith(options, credentials, { attended: false, deviceToken });
      const reading = await read(options, expectSignedIn(again).access);
      await readHistory(await reading.history(reading.accounts[0]!.id));
    };
    await expect(readAgain()).rejects.toBeInstanceOf(BankRefused);
  });
};

const abortTests = (options: ConnectorOptions): void => {
  const aborted = (): CallContext => callAt(options.now, AbortSignal.abort());
  const expectTimeout = async (call: Promise<unknown>): Promise<void> => {
    const error = await call.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(BankUnreachable);
    expect((error as BankUnreachable).reason).toBe('timeout');
  };

  test('ends every method when the signal aborts', async () => {
    const { connector } = options.connect();
    const access = await accessOf(options);
    const [account] = await connector.accounts(access, callAt(options.now));
    const institution = await institutionOf(options);
    const credentials = await newCredentials(options);
    await expectTimeout(connector.signIn({ institution, credentials, attended: true }, aborted()));
    await expectTimeout(connector.accounts(access, aborted()));
    await expectTimeout(
      connector
        .read(access, {}, aborted())
        .then(async (reading) => readHistory(await reading.history(account!.id))),
    );
    for (const { user } of options.challenged) {
      const step = await signInWith(options, user);
      if (step.kind !== 'challenge') throw new Error('This user should have a challenge.');
      await expectTimeout(connector.answer({ challengeState: step.challengeState, answer: '' }, aborted()));
    }
  });

  test('ends a history between its chunks, so it is never complete', async () => {
    const { connector } = options.connect();
    const access = await accessOf(options);
    const [account] = await connector.accounts(access, callAt(options.now));
    const abort = new AbortController();
    const reading = await connector.read(access, {}, callAt(options.now, abort.signal));
    const history = await reading.history(account!.id);
    abort.abort();
    await expectTimeout(readHistory(history));
  });
};

const frozen = <Value extends object>(value: Value): Value => {
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) frozen(inner);
  return Object.freeze(value);
};

const waitSeconds = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1000));

const asRefusal = (error: unknown): BankRefused => {
  if (error instanceof BankRefused) return error;
  throw error;
};

const refusalOf = async (call: Promise<unknown>): Promise<BankRefused> => {
  const refused = await call.then(() => undefined, asRefusal);
  if (!refused) throw new Error('The connector should have refused.');
  return refused;
};

const expectBankError = async (call: Promise<unknown>): Promise<void> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error instanceof BankRefused || error instanceof BankUnreachable, `got ${error}`).toBe(true);
};

const expectSignedIn = (step: SignInResult): SignInResult & { kind: 'signedIn' } => {
  if (step.kind !== 'signedIn')
    throw new Error(`Expected a completed sign-in instead of the challenge ${step.challenge.kind}.`);
  expect(step.access).toBeTypeOf('string');
  expect(step.access).not.toBe('');
  if (step.deviceToken !== undefined) expect(step.deviceToken).not.toBe('');
  if (step.expiresAt !== undefined) expect(new Date(step.expiresAt).toISOString()).toBe(step.expiresAt);
  expectJsonSafe(step);
  return step;
};

const expectChallenge = (challenge: Challenge): void => {
  expect(challenge.label.trim()).not.toBe('');
  expectJsonSafe(challenge);
  if (challenge.kind === 'choice') {
    const ids = challenge.options.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(ids.length);
    expect(challenge.options.every(({ id, label }) => id !== '' && label.trim() !== '')).toBe(true);
  }
  if ('length' in challenge && challenge.length) {
    expect(challenge.length.min).toBeGreaterThan(0);
    expect(challenge.length.max).toBeGreaterThanOrEqual(challenge.length.min);
  }
  if (challenge.kind === 'redirect') {
    expect(Buffer.byteLength(challenge.url)).toBeLessThanOrEqual(redirectUrlBytesMax);
    const { protocol, origin } = new URL(challenge.url);
    expect(protocol === 'https:' || origin === new URL(returnTo.url).origin).toBe(true);
  }
  if (challenge.resend) expect(challenge.resend.afterSeconds).toBeGreaterThanOrEqual(0);
  if (challenge.kind === 'approval') expect(challenge.pollSeconds).toBeGreaterThan(0);
  if (challenge.kind === 'image')
    expect(challenge.image).toMatch(/^data:image\/(png|svg\+xml);base64,[\w+/=]+$/);
};

const expectAccount = ({ id, name, type, subtype, number, currency, balance }: BankAccount): void => {
  expect(id).not.toBe('');
  expect(name.trim()).not.toBe('');
  expect(['depository', 'credit', 'loan', 'investment', 'other']).toContain(type);
  if (subtype !== undefined) expect(accountSubtypes).toContain(subtype);
  // Empty if the institution does not return it.
  expect(number === '' || number.trim() !== '').toBe(true);
  expect(Intl.supportedValuesOf('currency')).toContain(currency);
  if (!balance) return;
  const { current, available, limit, asOf } = balance;
  expect(new Date(asOf).toISOString()).toBe(asOf);
  for (const amount of [current, available, limit]) if (amount !== undefined) expectAmount(amount);
};

// Returns a list of problems, because one expectation per field would be slow for a long history.
const problemsOf = (transaction: BankTransaction, completeFrom = ''): string[] => {
  const isUndated = transaction.date === '' && transaction.status === 'pending';
  const valid: Record<keyof BankTransaction | 'date before completeFrom', boolean> = {
    id: transaction.id === undefined || transaction.id !== '',
    date: isUndated || toIsoDate(new Date(`${transaction.date}T00:00:00Z`)) === transaction.date,
    'date before completeFrom': isUndated || transaction.date >= completeFrom,
    amount: isDecimal(transaction.amount),
    description: typeof transaction.description === 'string',
    reference: typeof transaction.reference === 'string',
    status: transaction.status === 'pending' || transaction.status === 'posted',
  };
  return Object.entries(valid)
    .filter(([, isValid]) => !isValid)
    .map(([name]) => `${name} of ${JSON.stringify(transaction)}`);
};

const expectAmount = (text: string): void => {
  expect(isDecimal(text), `${text} is no decimal text`).toBe(true);
};

/** JSON values only, because they are sealed as JSON text. */
const expectJsonSafe = (value: unknown): void => {
  expectEqual(JSON.parse(JSON.stringify(value)), value);
};

/** For long values: the slow comparison of `expect` runs only if they differ. */
const expectEqual = (actual: unknown, expected: unknown, message?: string): void => {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, message).toEqual(expected);
};

/** All transactions of a history, after its chunks are checked. */
export const readHistory = async ({ chunks }: History): Promise<BankTransaction[]> => {
  const transactions: BankTransaction[] = [];
  for await (const chunk of chunks) {
    expect(chunk.length).toBeLessThanOrEqual(chunkMax);
    transactions.push(...chunk);
  }
  return transactions;
};

/** The contract fixes the order only within a day. */
const groupByDate = (transactions: BankTransaction[]): Map<string, BankTransaction[]> =>
  Map.groupBy(
    [...transactions].sort((left, right) => (left.date < right.date ? -1 : Number(left.date > right.date))),
    ({ date }) => date,
  );

const sinceDates = (completeFrom: string, middle: string | undefined, now: Date): string[] => {
  const today = toIsoDate(now);
  const around = [middle ?? today, today, fromDayNumber(toDayNumber(today) + 1)];
  if (!completeFrom) return around;
  return [fromDayNumber(toDayNumber(completeFrom) - 1), completeFrom, ...around];
};
