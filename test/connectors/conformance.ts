// The conformance suite: the contract of src/connectors/connector.ts as tests. The test of a connector is one call of
// `describeConnector` with the credentials of test users of its institution.
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { addMilliseconds, days, toIsoDate } from '../../src/clock.ts';
import type {
  BankAccount,
  BankTransaction,
  CallContext,
  Challenge,
  Connector,
  Credentials,
  History,
  SignInResult,
} from '../../src/connectors/connector.ts';
import type { ConnectorModule } from '../../src/connectors/registry.ts';
import { BankRefused, BankUnreachable } from '../../src/errors.ts';
import { isDecimal } from '../../src/json.ts';

export type ConnectorOptions = {
  /** Makes a new instance. The suite continues in another instance where the service continues in another process. */
  connect(): ConnectorModule;
  institutionId: string;
  /** A user without a challenge, with at least one account and some transactions. */
  user: Credentials;
  /** The same user with a wrong password. */
  wrong: Credentials;
  /** Users with challenges and their answers; empty if the institution has no challenges. */
  challenged: {
    name: string;
    user: Credentials;
    answer(challenge: Challenge): string;
    /** Undefined if no answer is wrong, as for an approval. */
    wrongAnswer: string | undefined;
  }[];
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
    describe('history', () => historyTests(options));
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
const callAt = (now: Date, signal = new AbortController().signal): CallContext => ({
  signal,
  now,
  organizationId,
});

const signInWith = (
  { connect, institutionId, now }: ConnectorOptions,
  credentials: Credentials,
  more: { attended?: boolean; deviceToken?: string } = {},
): Promise<SignInResult> =>
  connect().connector.signIn(frozen({ institutionId, credentials, attended: true, ...more }), callAt(now));

/** The access of the user without a challenge. */
const accessOf = async (options: ConnectorOptions): Promise<string> => {
  const signedIn = await signInWith(options, options.user);
  if (signedIn.kind !== 'signedIn') throw new Error('This user should have no challenge.');
  return signedIn.access;
};

const institutionTests = ({ connect, institutionId }: ConnectorOptions): void => {
  test('have valid unique ids, names, and fields with at least one secret', () => {
    const { institutions } = connect();
    expect(institutions.map(({ id }) => id)).toContain(institutionId);
    expect(new Set(institutions.map(({ id }) => id)).size).toBe(institutions.length);
    for (const institution of institutions) {
      expect(institution.id).toMatch(idPattern);
      expect(institution.name.trim()).not.toBe('');
      const names = institution.fields.map((field) => field.name);
      expect(new Set(names).size).toBe(names.length);
      expect(institution.fields.every((field) => field.name !== '' && field.label !== '')).toBe(true);
      expect(institution.fields.some((field) => field.secret)).toBe(true);
    }
  });

  test('are the same in every instance', () => {
    expect(connect().institutions).toEqual(connect().institutions);
  });
};

const signInTests = (options: ConnectorOptions): void => {
  test('signs in with correct credentials, attended or not', async () => {
    for (const attended of [true, false]) {
      const signedIn = await signInWith(options, options.user, { attended });
      expectSignedIn(signedIn);
    }
  });

  test('signs in again with the device token that it returned', async () => {
    const first = expectSignedIn(await signInWith(options, options.user));
    const again = await signInWith(options, options.user, {
      attended: false,
      deviceToken: first.deviceToken,
    });
    expectSignedIn(again);
  });

  test('refuses a wrong password as wrong_credentials, attended or not', async () => {
    for (const attended of [true, false]) {
      const refused = await refusalOf(signInWith(options, options.wrong, { attended }));
      expect(refused.reason).toBe('wrong_credentials');
      if (refused.attemptsLeft !== undefined) expect(refused.attemptsLeft).toBeGreaterThanOrEqual(0);
    }
  });

  test('refuses empty credentials as wrong_credentials', async () => {
    expect((await refusalOf(signInWith(options, {}))).reason).toBe('wrong_credentials');
  });

  test('refuses access and challenge states that it never returned', async () => {
    const { connector } = options.connect();
    const call = callAt(options.now);
    for (const text of ['', 'x', '{}', 'null', '[1]']) {
      await expectBankError(connector.accounts(text, call));
      await expectBankError(connector.history({ access: text, accountId: '1' }, call));
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

  test('are passed with the right answers, each in another process', async () => {
    const { access, deviceToken } = await passAll();
    expect(deviceToken, 'needed for unattended refreshes').toBeDefined();
    const accounts = await options.connect().connector.accounts(access, callAt(options.now));
    for (const account of accounts) expectAccount(account);
  });

  test('are not challenged of a known device, not even unattended', async () => {
    const { deviceToken } = await passAll();
    expectSignedIn(await signInWith(options, challenged.user, { attended: false, deviceToken }));
  });

  test('are never challenged unattended', async () => {
    for (const deviceToken of [undefined, 'another token']) {
      const refused = await refusalOf(signInWith(options, challenged.user, { attended: false, deviceToken }));
      expect(refused.reason).toBe('user_action_required');
    }
  });
  if (challenged.wrongAnswer !== undefined) wrongAnswerTests(options, challenged, challenged.wrongAnswer);
};

const wrongAnswerTests = (
  options: ConnectorOptions,
  challenged: ChallengedUser,
  wrongAnswer: string,
): void => {
  test('are repeated after a wrong answer with fewer attempts left, until the sign-in is refused', async () => {
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

  test('are the same, in the same order, in every process and after every sign-in', async () => {
    const access = await accessOf(options);
    const first = await options.connect().connector.accounts(access, callAt(options.now));
    expect(await options.connect().connector.accounts(access, callAt(options.now))).toEqual(first);
    const ids = (accounts: BankAccount[]): string[] => accounts.map(({ id }) => id);
    expect(
      ids(await options.connect().connector.accounts(await accessOf(options), callAt(options.now))),
    ).toEqual(ids(first));
  });

  test('are new objects on each call, which the caller may change', async () => {
    const { connector } = options.connect();
    const access = await accessOf(options);
    const accounts = await connector.accounts(access, callAt(options.now));
    const copy = structuredClone(accounts);
    for (const account of accounts) Object.assign(account.balance, { current: '0' }, { limit: '0' });
    accounts.length = 0;
    expect(await connector.accounts(access, callAt(options.now))).toEqual(copy);
  });
};

const historyTests = (options: ConnectorOptions): void => {
  const open = async (): Promise<{ connector: Connector; access: string; accounts: BankAccount[] }> => {
    const { connector } = options.connect();
    const access = await accessOf(options);
    return { connector, access, accounts: await connector.accounts(access, callAt(options.now)) };
  };

  test('comes in chunks, complete from a date, with valid transactions', async () => {
    const { connector, access, accounts } = await open();
    let total = 0;
    for (const { id } of accounts) {
      const history = await connector.history(frozen({ access, accountId: id }), callAt(options.now));
      const transactions = await readHistory(history);
      expect(history.completeFrom).toMatch(datePattern);
      expect(transactions.flatMap((transaction) => problemsOf(transaction, history.completeFrom))).toEqual(
        [],
      );
      if (history.count !== undefined) expect(transactions.length).toBe(history.count);
      const ids = transactions.flatMap((transaction) =>
        transaction.id === undefined ? [] : [transaction.id],
      );
      expect(new Set(ids).size).toBe(ids.length);
      expectJsonSafe(transactions);
      total += transactions.length;
    }
    expect(total, 'the user needs transactions').toBeGreaterThan(0);
  });

  test('is the same in another process', async () => {
    const { connector, access, accounts } = await open();
    for (const { id } of accounts) {
      const request = { access, accountId: id };
      const first = await connector.history(request, callAt(options.now));
      const again = await options.connect().connector.history(request, callAt(options.now));
      expectEqual(await readHistory(again), await readHistory(first));
      expect(again.completeFrom).toBe(first.completeFrom);
    }
  });

  test('since a date is the part of the complete history from that date on', async () => {
    const { connector, access, accounts } = await open();
    for (const { id } of accounts) {
      const complete = await connector.history({ access, accountId: id }, callAt(options.now));
      const transactions = await readHistory(complete);
      const middle = transactions[Math.floor(transactions.length / 2)]?.date;
      for (const since of sinceDates(complete.completeFrom, middle, options.now)) {
        const part = await connector.history(frozen({ access, accountId: id, since }), callAt(options.now));
        expect(part.completeFrom).toBe(since > complete.completeFrom ? since : complete.completeFrom);
        const expected = transactions.filter(({ date }) => date >= since);
        expectEqual(groupByDate(await readHistory(part)), groupByDate(expected), `since ${since}`);
        if (part.count !== undefined) expect(part.count).toBe(expected.length);
      }
    }
  });

  test('of an unknown account is an error, never an empty list', async () => {
    const { connector, access } = await open();
    const history = connector.history({ access, accountId: 'no such account' }, callAt(options.now));
    await expect(history.then(readHistory)).rejects.toBeInstanceOf(BankUnreachable);
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

  test('ends every method when the signal is aborted', async () => {
    const { connector } = options.connect();
    const access = await accessOf(options);
    const [account] = await connector.accounts(access, callAt(options.now));
    const { institutionId, user: credentials } = options;
    await expectTimeout(connector.signIn({ institutionId, credentials, attended: true }, aborted()));
    await expectTimeout(connector.accounts(access, aborted()));
    await expectTimeout(connector.history({ access, accountId: account!.id }, aborted()).then(readHistory));
    for (const { user } of options.challenged) {
      const step = await signInWith(options, user);
      if (step.kind !== 'challenge') throw new Error('This user should have a challenge.');
      await expectTimeout(connector.answer({ challengeState: step.challengeState, answer: '' }, aborted()));
    }
  });

  test('ends a history between its chunks, which then is never complete', async () => {
    const { connector } = options.connect();
    const access = await accessOf(options);
    const [account] = await connector.accounts(access, callAt(options.now));
    const abort = new AbortController();
    const history = await connector.history(
      { access, accountId: account!.id },
      callAt(options.now, abort.signal),
    );
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
    throw new Error(`Signed in was expected, not the challenge ${step.challenge.kind}.`);
  expect(step.access).toBeTypeOf('string');
  expect(step.access).not.toBe('');
  if (step.deviceToken !== undefined) expect(step.deviceToken).not.toBe('');
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
  if (challenge.kind === 'approval') expect(challenge.pollSeconds).toBeGreaterThan(0);
  if (challenge.kind === 'image')
    expect(challenge.image).toMatch(/^data:image\/(png|svg\+xml);base64,[\w+/=]+$/);
};

const expectAccount = ({ id, name, type, number, currency, balance }: BankAccount): void => {
  expect(id).not.toBe('');
  expect(name.trim()).not.toBe('');
  expect(['depository', 'credit', 'loan', 'investment', 'other']).toContain(type);
  expect(number.trim()).not.toBe('');
  expect(Intl.supportedValuesOf('currency')).toContain(currency);
  const { current, available, limit } = balance;
  for (const amount of [current, available, limit]) if (amount !== undefined) expectAmount(amount);
};

// Returns a list of problems: one expectation for each field would be slow for a long history.
const problemsOf = (transaction: BankTransaction, completeFrom: string): string[] => {
  const valid: Record<string, boolean> = {
    id: transaction.id === undefined || transaction.id !== '',
    date:
      datePattern.test(transaction.date) &&
      toIsoDate(new Date(`${transaction.date}T00:00:00Z`)) === transaction.date,
    'date before completeFrom': transaction.date >= completeFrom,
    amount: isDecimal(transaction.amount),
    description: typeof transaction.description === 'string',
    reference: typeof transaction.reference === 'string',
    status: transaction.status === 'pending' || transaction.status === 'posted',
  };
  return Object.keys(valid)
    .filter((name) => !valid[name])
    .map((name) => `${name} of ${JSON.stringify(transaction)}`);
};

const expectAmount = (text: string): void => {
  expect(isDecimal(text), `${text} is no decimal text`).toBe(true);
};

/** Only JSON values: they are sealed as JSON text. */
const expectJsonSafe = (value: unknown): void => {
  expectEqual(JSON.parse(JSON.stringify(value)), value);
};

/** For long values: `expect` with its slow comparison runs only where they differ. */
const expectEqual = (actual: unknown, expected: unknown, message?: string): void => {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, message).toEqual(expected);
};

/** All transactions of a history, after a check of its chunks. */
export const readHistory = async ({ chunks }: History): Promise<BankTransaction[]> => {
  const transactions: BankTransaction[] = [];
  for await (const chunk of chunks) {
    expect(chunk.length).toBeGreaterThan(0);
    expect(chunk.length).toBeLessThanOrEqual(chunkMax);
    transactions.push(...chunk);
  }
  return transactions;
};

/** The contract fixes the order within a day only. */
const groupByDate = (transactions: BankTransaction[]): Map<string, BankTransaction[]> =>
  Map.groupBy(
    [...transactions].sort((left, right) => (left.date < right.date ? -1 : Number(left.date > right.date))),
    ({ date }) => date,
  );

const sinceDates = (completeFrom: string, middle: string | undefined, now: Date): string[] => {
  const today = toIsoDate(now);
  const dayBefore = toIsoDate(addMilliseconds(new Date(completeFrom), -days(1)));
  return [dayBefore, completeFrom, middle ?? today, today, toIsoDate(addMilliseconds(now, days(1)))];
};
