// What every connector must do, sentence by sentence of src/banks/bank.ts. A connector's test is one call of
// `describeConnector` with the credentials of users that its bank keeps for trying things out.
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
  /** Makes the connector anew: whatever goes on in another process must go on in another instance. */
  connect(): ConnectorModule;
  institutionId: string;
  /** Somebody whom the bank lets in at once, with at least one account and some entries. */
  user: Credentials;
  /** The same person with a password that is wrong. */
  wrong: Credentials;
  /** Users whom the bank asks something first, and how they answer; none where the bank never asks. */
  challenged: {
    name: string;
    user: Credentials;
    answer(challenge: Challenge): string;
    /** Undefined where no answer is wrong, as when the user approves elsewhere. */
    wrongAnswer: string | undefined;
  }[];
  /** The time at which everything is asked. */
  now: Date;
};

/** The tests of the contract, for one connector. */
export const describeConnector = (name: string, options: ConnectorOptions): void => {
  describe(`${name} fulfils the contract of a bank`, () => {
    describe('its institutions', () => institutionTests(options));
    describe('signing in', () => signInTests(options));
    for (const asked of options.challenged) {
      describe(`the challenges of ${asked.name}`, () => challengeTests(options, asked));
    }
    describe('accounts', () => accountTests(options));
    describe('history', () => historyTests(options));
    describe('waiting', () => abortTests(options));
  });
};

const challengesMax = 20;
const pollsMax = 60;
const chunkMax = 1_000;
const idPattern = /^[a-z0-9][a-z0-9-]{0,62}$/;
const datePattern = /^\d{4}-\d\d-\d\d$/;

type Given = ConnectorOptions;
type ChallengedUser = Given['challenged'][number];

const callAt = (now: Date, signal = new AbortController().signal): CallContext => ({ signal, now });

const signInWith = (
  { connect, institutionId, now }: Given,
  credentials: Credentials,
  more: { attended?: boolean; deviceToken?: string } = {},
): Promise<SignInResult> =>
  connect().connector.signIn(frozen({ institutionId, credentials, attended: true, ...more }), callAt(now));

/** The access of the user who is let in at once. */
const accessOf = async (given: Given): Promise<string> => {
  const signedIn = await signInWith(given, given.user);
  if (signedIn.kind !== 'signedIn') throw new Error('This user should be let in at once.');
  return signedIn.access;
};

const institutionTests = ({ connect, institutionId }: Given): void => {
  test('have ids that can be stored for ever, names, and fields with at least one secret', () => {
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

const signInTests = (given: Given): void => {
  test('lets in who should be let in, attended or not', async () => {
    for (const attended of [true, false]) {
      const signedIn = await signInWith(given, given.user, { attended });
      expectSignedIn(signedIn);
    }
  });

  test('lets in again with the device token that it gave', async () => {
    const first = expectSignedIn(await signInWith(given, given.user));
    const again = await signInWith(given, given.user, { attended: false, deviceToken: first.deviceToken });
    expectSignedIn(again);
  });

  test('refuses a wrong password as such, attended or not', async () => {
    for (const attended of [true, false]) {
      const refused = await refusalOf(signInWith(given, given.wrong, { attended }));
      expect(refused.reason).toBe('wrong_credentials');
      if (refused.attemptsLeft !== undefined) expect(refused.attemptsLeft).toBeGreaterThanOrEqual(0);
    }
  });

  test('refuses credentials without any field as wrong', async () => {
    expect((await refusalOf(signInWith(given, {}))).reason).toBe('wrong_credentials');
  });

  test('knows no access and no challenge state that it never gave', async () => {
    const { connector } = given.connect();
    const call = callAt(given.now);
    for (const text of ['', 'x', '{}', 'null', '[1]']) {
      await expectBankError(connector.accounts(text, call));
      await expectBankError(connector.history({ access: text, accountId: '1' }, call));
      await expectBankError(connector.answer({ challengeState: text, answer: '1' }, call));
    }
  });
};

const sendAnswer = ({ connect, now }: Given, challengeState: string, answer: string): Promise<SignInResult> =>
  connect().connector.answer(frozen({ challengeState, answer }), callAt(now));

const challengeTests = (given: Given, asked: ChallengedUser): void => {
  const passAll = async (): Promise<SignInResult & { kind: 'signedIn' }> => {
    let step = await signInWith(given, asked.user);
    expect(step.kind).toBe('challenge');
    let polls = 0;
    for (let steps = 0; step.kind === 'challenge'; steps++) {
      expect(steps).toBeLessThan(challengesMax + pollsMax);
      expectChallenge(step.challenge);
      expect(step.retry).toBeUndefined();
      if (step.challenge.kind === 'approval' && polls++ > 0) await waitSeconds(step.challenge.pollSeconds);
      step = await sendAnswer(given, step.challengeState, asked.answer(step.challenge));
    }
    return expectSignedIn(step);
  };

  test('let the user in when answered, each answer in another process', async () => {
    const { access, deviceToken } = await passAll();
    expect(deviceToken, 'else nobody could refresh unattended').toBeDefined();
    const accounts = await given.connect().connector.accounts(access, callAt(given.now));
    for (const account of accounts) expectAccount(account);
  });

  test('are not asked of a device that the bank knows, even when nobody is there', async () => {
    const { deviceToken } = await passAll();
    expectSignedIn(await signInWith(given, asked.user, { attended: false, deviceToken }));
  });

  test('are never asked when nobody is there to answer', async () => {
    for (const deviceToken of [undefined, 'some other token']) {
      const refused = await refusalOf(signInWith(given, asked.user, { attended: false, deviceToken }));
      expect(refused.reason).toBe('user_action_required');
    }
  });
  if (asked.wrongAnswer !== undefined) wrongAnswerTests(given, asked, asked.wrongAnswer);
};

const wrongAnswerTests = (given: Given, asked: ChallengedUser, wrongAnswer: string): void => {
  test('are asked again after a wrong answer with fewer tries left, until the bank has enough', async () => {
    let step = await signInWith(given, asked.user);
    if (step.kind !== 'challenge') throw new Error('This user should be asked something.');
    const { challenge } = step;
    let attemptsLeft: number | null = null;
    for (let tries = 1; ; tries++) {
      expect(tries).toBeLessThan(challengesMax);
      const next: SignInResult | BankRefused = await sendAnswer(
        given,
        step.challengeState,
        wrongAnswer,
      ).catch(asRefusal);
      if (next instanceof BankRefused) {
        expect(next.reason).toBe('wrong_answer');
        expect(tries).toBeGreaterThan(1);
        return;
      }
      if (next.kind !== 'challenge') throw new Error('A wrong answer should not let anybody in.');
      expect(next.challenge).toEqual(challenge);
      const left: number | null | undefined = next.retry?.attemptsLeft;
      expect(left).not.toBeUndefined();
      if (typeof left === 'number') expect(left).toBeLessThan(attemptsLeft ?? Number.POSITIVE_INFINITY);
      attemptsLeft = left ?? null;
      step = next;
    }
  });

  test('can still be passed after one wrong answer', async () => {
    const first = await signInWith(given, asked.user);
    if (first.kind !== 'challenge') throw new Error('This user should be asked something.');
    let step = await sendAnswer(given, first.challengeState, wrongAnswer);
    for (let steps = 0; step.kind === 'challenge' && steps < challengesMax; steps++) {
      step = await sendAnswer(given, step.challengeState, asked.answer(step.challenge));
    }
    expectSignedIn(step);
  });
};

const accountTests = (given: Given): void => {
  test('have all that the contract asks for', async () => {
    const accounts = await given.connect().connector.accounts(await accessOf(given), callAt(given.now));
    expect(accounts.length).toBeGreaterThan(0);
    for (const account of accounts) expectAccount(account);
    expect(new Set(accounts.map(({ id }) => id)).size).toBe(accounts.length);
    expectJsonSafe(accounts);
  });

  test('are the same, in the same order, whoever asks and however they signed in', async () => {
    const access = await accessOf(given);
    const first = await given.connect().connector.accounts(access, callAt(given.now));
    expect(await given.connect().connector.accounts(access, callAt(given.now))).toEqual(first);
    const ids = (accounts: BankAccount[]): string[] => accounts.map(({ id }) => id);
    expect(ids(await given.connect().connector.accounts(await accessOf(given), callAt(given.now)))).toEqual(
      ids(first),
    );
  });

  test('are fresh each time: what a caller does to them changes nothing', async () => {
    const { connector } = given.connect();
    const access = await accessOf(given);
    const mine = await connector.accounts(access, callAt(given.now));
    const copy = structuredClone(mine);
    for (const account of mine) Object.assign(account.balance, { current: '0' }, { limit: '0' });
    mine.length = 0;
    expect(await connector.accounts(access, callAt(given.now))).toEqual(copy);
  });
};

const historyTests = (given: Given): void => {
  const open = async (): Promise<{ bank: Connector; access: string; accounts: BankAccount[] }> => {
    const { connector } = given.connect();
    const access = await accessOf(given);
    return { bank: connector, access, accounts: await connector.accounts(access, callAt(given.now)) };
  };

  test('comes in chunks, complete from a date, each entry as the contract asks', async () => {
    const { bank, access, accounts } = await open();
    let total = 0;
    for (const { id } of accounts) {
      const history = await bank.history(frozen({ access, accountId: id }), callAt(given.now));
      const entries = await readHistory(history);
      expect(history.completeFrom).toMatch(datePattern);
      expect(entries.flatMap((entry) => problemsOf(entry, history.completeFrom))).toEqual([]);
      if (history.count !== undefined) expect(entries.length).toBe(history.count);
      const ids = entries.flatMap((entry) => (entry.id === undefined ? [] : [entry.id]));
      expect(new Set(ids).size).toBe(ids.length);
      expectJsonSafe(entries);
      total += entries.length;
    }
    expect(total, 'a history to test with').toBeGreaterThan(0);
  });

  test('is the same when asked again by another process', async () => {
    const { bank, access, accounts } = await open();
    for (const { id } of accounts) {
      const request = { access, accountId: id };
      const first = await bank.history(request, callAt(given.now));
      const again = await given.connect().connector.history(request, callAt(given.now));
      expectEqual(await readHistory(again), await readHistory(first));
      expect(again.completeFrom).toBe(first.completeFrom);
    }
  });

  test('since a date is the part of the whole from that date on', async () => {
    const { bank, access, accounts } = await open();
    for (const { id } of accounts) {
      const whole = await bank.history({ access, accountId: id }, callAt(given.now));
      const entries = await readHistory(whole);
      const middle = entries[Math.floor(entries.length / 2)]?.date;
      for (const since of sinceDates(whole.completeFrom, middle, given.now)) {
        const part = await bank.history(frozen({ access, accountId: id, since }), callAt(given.now));
        expect(part.completeFrom).toBe(since > whole.completeFrom ? since : whole.completeFrom);
        const wanted = entries.filter(({ date }) => date >= since);
        expectEqual(groupByDate(await readHistory(part)), groupByDate(wanted), `since ${since}`);
        if (part.count !== undefined) expect(part.count).toBe(wanted.length);
      }
    }
  });

  test('of an account that the bank does not show is an error, never an empty list', async () => {
    const { bank, access } = await open();
    const asking = bank.history({ access, accountId: 'no such account' }, callAt(given.now));
    await expect(asking.then(readHistory)).rejects.toBeInstanceOf(BankUnreachable);
  });
};

const abortTests = (given: Given): void => {
  const aborted = (): CallContext => callAt(given.now, AbortSignal.abort());
  const expectTimeout = async (work: Promise<unknown>): Promise<void> => {
    const error = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(BankUnreachable);
    expect((error as BankUnreachable).reason).toBe('timeout');
  };

  test('ends at once in every method when the signal is aborted', async () => {
    const { connector } = given.connect();
    const access = await accessOf(given);
    const [account] = await connector.accounts(access, callAt(given.now));
    const { institutionId, user: credentials } = given;
    await expectTimeout(connector.signIn({ institutionId, credentials, attended: true }, aborted()));
    await expectTimeout(connector.accounts(access, aborted()));
    await expectTimeout(connector.history({ access, accountId: account!.id }, aborted()).then(readHistory));
    for (const { user } of given.challenged) {
      const step = await signInWith(given, user);
      if (step.kind !== 'challenge') throw new Error('This user should be asked something.');
      await expectTimeout(connector.answer({ challengeState: step.challengeState, answer: '' }, aborted()));
    }
  });

  test('ends between the chunks of a history, which then never look complete', async () => {
    const { connector: bank } = given.connect();
    const access = await accessOf(given);
    const [account] = await bank.accounts(access, callAt(given.now));
    const waiting = new AbortController();
    const history = await bank.history({ access, accountId: account!.id }, callAt(given.now, waiting.signal));
    waiting.abort();
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

const refusalOf = async (work: Promise<unknown>): Promise<BankRefused> => {
  const refused = await work.then(() => undefined, asRefusal);
  if (!refused) throw new Error('The bank should have refused.');
  return refused;
};

const expectBankError = async (work: Promise<unknown>): Promise<void> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error instanceof BankRefused || error instanceof BankUnreachable, `got ${error}`).toBe(true);
};

const expectSignedIn = (step: SignInResult): SignInResult & { kind: 'signedIn' } => {
  if (step.kind !== 'signedIn')
    throw new Error(`The bank should let in and asks for: ${step.challenge.kind}.`);
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
  for (const money of [current, available, limit]) if (money !== undefined) expectMoney(money);
};

// A list of problems instead of one expectation for each field: a history can be long.
const problemsOf = (entry: BankTransaction, completeFrom: string): string[] => {
  const fits: Record<string, boolean> = {
    id: entry.id === undefined || entry.id !== '',
    date: datePattern.test(entry.date) && toIsoDate(new Date(`${entry.date}T00:00:00Z`)) === entry.date,
    'date before completeFrom': entry.date >= completeFrom,
    amount: isDecimal(entry.amount),
    description: typeof entry.description === 'string',
    reference: typeof entry.reference === 'string',
    status: entry.status === 'pending' || entry.status === 'posted',
  };
  return Object.keys(fits)
    .filter((name) => !fits[name])
    .map((name) => `${name} of ${JSON.stringify(entry)}`);
};

const expectMoney = (text: string): void => {
  expect(isDecimal(text), `${text} is no decimal text`).toBe(true);
};

/** Nothing but what survives a JSON text: it will be sealed as one. */
const expectJsonSafe = (value: unknown): void => {
  expectEqual(JSON.parse(JSON.stringify(value)), value);
};

/** For what can be long: an expectation, which can say what is different, is asked only where something is. */
const expectEqual = (actual: unknown, wanted: unknown, words?: string): void => {
  if (!isDeepStrictEqual(actual, wanted)) expect(actual, words).toEqual(wanted);
};

/** All entries of a history, after checking the form of its chunks. */
export const readHistory = async ({ chunks }: History): Promise<BankTransaction[]> => {
  const entries: BankTransaction[] = [];
  for await (const chunk of chunks) {
    expect(chunk.length).toBeGreaterThan(0);
    expect(chunk.length).toBeLessThanOrEqual(chunkMax);
    entries.push(...chunk);
  }
  return entries;
};

/** The contract leaves open in which order the days come, and fixes it within each. */
const groupByDate = (entries: BankTransaction[]): Map<string, BankTransaction[]> =>
  Map.groupBy(
    [...entries].sort((left, right) => (left.date < right.date ? -1 : Number(left.date > right.date))),
    ({ date }) => date,
  );

const sinceDates = (completeFrom: string, middle: string | undefined, now: Date): string[] => {
  const today = toIsoDate(now);
  const dayBefore = toIsoDate(addMilliseconds(new Date(completeFrom), -days(1)));
  return [dayBefore, completeFrom, middle ?? today, today, toIsoDate(addMilliseconds(now, days(1)))];
};
