// Tests that each sandbox user behaves as documented.
import {
  BankRefused,
  type BankTransaction,
  BankUnreachable,
  type ChallengeAction,
  type SignInResult,
  toIsoDate,
} from '@bank-connection/connector-kit';
import { describe, expect, test } from 'vitest';
import { sandboxInstitutions } from '../institutions.ts';
import { makeSandboxConnector } from '../sandboxConnector.ts';
import {
  callAt,
  daysAfter,
  historyOf,
  makeConnector,
  minorUnits,
  readAllAccounts,
  readTransactions,
  signIn,
  signInDirectly,
  today,
  total,
} from './fixture.ts';
import { makeMemoryStorage } from './memoryStorage.ts';

const storageOf = makeMemoryStorage();
const connector = makeConnector(storageOf);

const refusalOf = async (call: Promise<unknown>): Promise<BankRefused> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(BankRefused);
  return error as BankRefused;
};

const challengeOf = (step: SignInResult): SignInResult & { kind: 'challenge' } => {
  if (step.kind !== 'challenge') throw new Error('Expected a challenge.');
  return step;
};

const pending = (transactions: BankTransaction[]): BankTransaction[] =>
  transactions.filter(({ status }) => status === 'pending');

describe('good', () => {
  test('has a checking account, a savings account and a credit card with debt', async () => {
    const { seen } = await readAllAccounts(connector, { username: 'good' });
    expect(seen.map(({ account }) => [account.name, account.type, account.subtype])).toEqual([
      ['Everyday Checking', 'depository', 'checking'],
      ['Rainy Day Savings', 'depository', 'savings'],
      ['Sandbox Credit Card', 'credit', 'credit_card'],
    ]);
    const [checking, savings, card] = seen.map(({ account }) => account.balance);
    expect(card!.limit).toBe('8000.00');
    expect(card!.current).toMatch(/^-/);
    expect(checking!.limit ?? savings!.limit).toBeUndefined();
  });

  test('has two years of history, with pending transactions on every day', async () => {
    for (let day = 0; day < (process.env.TEST_ALL ? 45 : 8); day++) {
      const now = daysAfter(today, day);
      const { seen } = await readAllAccounts(connector, { username: 'good', now });
      const all = seen.flatMap(({ transactions }) => transactions);
      expect(pending(all).length).toBeGreaterThan(0);
      expect(pending(all).every(({ date }) => date > toIsoDate(daysAfter(now, -3)))).toBe(true);
      const dates = all.map(({ date }) => date).sort();
      expect(dates.at(-1)).toBe(toIsoDate(now));
      expect(dates[0]! >= toIsoDate(daysAfter(now, -729))).toBe(true);
      expect(dates[0]! < toIsoDate(daysAfter(now, -720))).toBe(true);
    }
  });

  test('has other accounts at each institution', async () => {
    const credentials = { username: 'good', password: 'password' };
    const numbers = await Promise.all(
      sandboxInstitutions.map(async ({ id }) => {
        const request = { institution: { id }, credentials, attended: true };
        const step = await connector.signIn(request, callAt());
        if (step.kind !== 'signedIn') throw new Error('good has no challenge.');
        return (await connector.accounts(step.access, callAt())).map(({ number }) => number);
      }),
    );
    expect(new Set(numbers.flat()).size).toBe(3 * sandboxInstitutions.length);
  });

  test('has every transfer between its accounts in both, on the same day', async () => {
    const { seen } = await readAllAccounts(connector, { username: 'good' });
    const [checking, savings, card] = seen.map(({ transactions }) => transactions);
    const flow = (transactions: BankTransaction[], description: string, sign: bigint): string[] =>
      transactions
        .filter((transaction) => transaction.description === description)
        .map(({ date, amount }) => `${date} ${sign * minorUnits(amount)}`);
    const saved = flow(savings!, 'STANDING ORDER FROM CHECKING', 1n);
    expect(saved.length).toBeGreaterThan(20);
    expect(flow(checking!, 'STANDING ORDER TO SAVINGS', -1n)).toEqual(saved);
    const paid = flow(card!, 'PAYMENT RECEIVED - THANK YOU', 1n);
    expect(paid.length).toBeGreaterThan(20);
    expect(flow(checking!, 'SANDBOX CARD SERVICES', -1n)).toEqual(paid);
  });

  test('is never locked by wrong passwords, and signs in with the right one', async () => {
    const wrong = { username: 'good', password: 'Password' };
    await signInDirectly(connector, { username: 'good' });
    const refusals = [];
    for (let attempt = 0; attempt < 5; attempt++) refusals.push(await refusalOf(signIn(connector, wrong)));
    expect(refusals.map(({ reason }) => reason)).toEqual(Array(5).fill('wrong_credentials'));
    expect(refusals.map(({ attemptsLeft }) => attemptsLeft)).toEqual([2, 1, undefined, undefined, undefined]);
    await signInDirectly(connector, { username: 'good', password: 'password and more' });
    expect((await refusalOf(signIn(connector, wrong))).attemptsLeft).toBe(2);
  });
});

describe('challenges', () => {
  const act = (challengeState: string, action: ChallengeAction): Promise<SignInResult> =>
    connector.challengeAction!({ challengeState, action }, callAt());

  test('otp asks for a code sent by SMS', async () => {
    const { challenge, challengeState } = challengeOf(await signIn(connector, { username: 'otp' }));
    expect(challenge).toEqual({
      ...{ kind: 'code', label: 'Code sent by text', labelKey: 'code_sms' },
      ...{ inputMode: 'digits', length: { min: 6, max: 6 }, resend: { afterSeconds: 3 } },
    });
    expect((await connector.answer({ challengeState, answer: ' 123 456 ' }, callAt())).kind).toBe('signedIn');
  });

  test('choose asks where to send the code, then for the code', async () => {
    const first = challengeOf(await signIn(connector, { username: 'choose' }));
    if (first.challenge.kind !== 'choice') throw new Error('Expected a choice.');
    const { id } = first.challenge.options[2]!;
    const second = challengeOf(
      await connector.answer({ challengeState: first.challengeState, answer: id }, callAt()),
    );
    expect(second.challenge.label).toBe('Code sent by email to s•••@example.com');
    const third = challengeOf(await act(second.challengeState, 'otherMethod'));
    expect(third.challenge).toEqual(first.challenge);
  });

  test('otp sends a code again twice; the code stays right', async () => {
    let step = challengeOf(await signIn(connector, { username: 'otp' }));
    for (const left of [1, 0]) {
      step = challengeOf(await act(step.challengeState, 'resend'));
      expect(step.challenge.resend !== undefined).toBe(left > 0);
    }
    expect((await refusalOf(act(step.challengeState, 'resend'))).reason).toBe('user_action_required');
    const { challengeState } = step;
    const signedIn = await connector.answer({ challengeState, answer: '123456' }, callAt());
    expect(signedIn.kind).toBe('signedIn');
  });

  test('captcha returns an image without text or style elements', async () => {
    const { challenge } = challengeOf(await signIn(connector, { username: 'captcha' }));
    if (challenge.kind !== 'image') throw new Error('Expected an image.');
    const svg = Buffer.from(challenge.image.split(',')[1]!, 'base64').toString();
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    expect(svg).not.toMatch(/<text|style|script|href|7G4K/);
  });

  test('push is approved after three seconds, and push-denied is denied', async () => {
    let milliseconds = 0;
    const start = Date.parse('2026-01-01T00:00:00Z');
    const realNow = () => new Date(start + milliseconds);
    const timed = makeSandboxConnector({ storageOf, realNow });
    for (const username of ['push', 'push-denied']) {
      milliseconds = 0;
      const first = challengeOf(await signIn(timed, { username }));
      expect(first.challenge).toMatchObject({ kind: 'approval', pollSeconds: 1 });
      milliseconds = 2_999;
      // The sandbox clock has no effect.
      const repeated = await timed.answer(
        { challengeState: first.challengeState, answer: '' },
        callAt(daysAfter(today, 9)),
      );
      expect(repeated).toEqual(first);
      milliseconds = 3_000;
      const decided = timed.answer({ challengeState: first.challengeState, answer: '' }, callAt());
      if (username === 'push') expect((await decided).kind).toBe('signedIn');
      else expect((await refusalOf(decided)).reason).toBe('denied');
    }
  });

  test('a device token is valid for its own user only', async () => {
    const { challengeState } = challengeOf(await signIn(connector, { username: 'otp' }));
    const step = await connector.answer({ challengeState, answer: '123456' }, callAt());
    if (step.kind !== 'signedIn') throw new Error('The code is correct.');
    const { deviceToken } = step;
    const attended = false;
    expect((await signIn(connector, { username: 'otp', attended, deviceToken })).kind).toBe('signedIn');
    const other = signIn(connector, { username: 'question', attended, deviceToken });
    expect((await refusalOf(other)).reason).toBe('user_action_required');
  });
});

describe('users who cannot sign in', () => {
  test('locked is locked, which is said only after the correct password', async () => {
    expect((await refusalOf(signIn(connector, { username: 'locked' }))).reason).toBe('locked');
    const wrong = signIn(connector, { username: 'locked', password: 'x' });
    expect((await refusalOf(wrong)).reason).toBe('wrong_credentials');
  });

  test('down is unreachable', async () => {
    const error = await signIn(connector, { username: 'down' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BankUnreachable);
    expect((error as BankUnreachable).reason).toBe('down');
  });

  test('empty has no accounts', async () => {
    expect((await readAllAccounts(connector, { username: 'empty' })).seen).toEqual([]);
  });

  test('other usernames are unknown', async () => {
    for (const username of ['', 'nobody', 'constructor', '__proto__', 'Good']) {
      expect((await refusalOf(signIn(connector, { username }))).reason).toBe('wrong_credentials');
    }
  });

  test('slow takes five seconds a step, unless the call is aborted', async () => {
    const slow = makeSandboxConnector({ storageOf, realNow: () => new Date() });
    const started = performance.now();
    const { access } = await signInDirectly(slow, { username: 'slow' });
    expect(performance.now() - started).toBeGreaterThanOrEqual(4_990);
    const abort = new AbortController();
    const call = slow.accounts(access, callAt(today, abort.signal)).catch((thrown: unknown) => thrown);
    abort.abort();
    expect(await call).toMatchObject({ reason: 'timeout' });
  });
});

describe('expires', () => {
  const username = 'expires';

  test('can be read once, also after an interrupted read, and is then refused until an attended sign-in', async () => {
    const linked = await signInDirectly(connector, { username });
    const unattended = { username, attended: false, deviceToken: linked.deviceToken };
    const [account] = await connector.accounts(linked.access, callAt());
    const request = { access: linked.access, accountId: account!.id };
    const history = await historyOf(connector, request, callAt());
    for await (const _ of history.chunks) break;
    const { access } = await signInDirectly(connector, unattended);
    await readTransactions(connector, { ...request, access });
    for (let again = 0; again < 2; again++) {
      expect((await refusalOf(signIn(connector, unattended))).reason).toBe('wrong_credentials');
    }
    const reconnected = await signInDirectly(connector, { username });
    await signInDirectly(connector, { ...unattended, deviceToken: reconnected.deviceToken });
  });
});

describe('moves', () => {
  const byAmount = (transactions: BankTransaction[]): Map<string, BankTransaction> =>
    new Map(transactions.map((transaction) => [transaction.amount, transaction]));

  for (const daysBetween of [0, 1, 40]) {
    test(`adds, posts and removes transactions at each refresh, ${daysBetween} days apart`, async () => {
      const fresh = makeConnector();
      const username = 'moves';
      let { seen, deviceToken } = await readAllAccounts(fresh, { username, now: today });
      for (let refresh = 1; refresh <= 4; refresh++) {
        const before = seen[0]!;
        const now = daysAfter(today, daysBetween * refresh);
        ({ seen } = await readAllAccounts(fresh, { username, now, attended: false, deviceToken }));
        const after = seen[0]!;
        const isRound = ({ id }: BankTransaction): boolean => id!.startsWith('M');
        const pendingBefore = before.transactions.filter(
          (transaction) => isRound(transaction) && transaction.status === 'pending',
        );
        expect(pendingBefore.length).toBe(3);
        const rounds = after.transactions.filter(isRound);
        const posted = pendingBefore.flatMap(({ amount }) => byAmount(rounds).get(amount) ?? []);
        expect(posted.length).toBe(2);
        for (const transaction of posted) {
          const previous = byAmount(pendingBefore).get(transaction.amount)!;
          expect(transaction.status).toBe('posted');
          expect(transaction.date).not.toBe(previous.date);
          expect(transaction.description).not.toBe(previous.description);
        }
        // One of the two keeps its id and the other does not, because institutions differ.
        expect(posted.filter(({ id }) => pendingBefore.some((previous) => previous.id === id)).length).toBe(
          1,
        );
        const knownIds = new Set(before.transactions.map(({ id }) => id));
        const added = rounds.filter(({ id, date }) => !knownIds.has(id) && date === toIsoDate(now));
        expect(added.filter(({ status }) => status === 'pending').length).toBe(3);
        expect(added.some(({ status }) => status === 'posted')).toBe(true);
        expectBalanceFromPosted(before, after);
      }
    });
  }

  test('shows all devices the same: a new device starts no round', async () => {
    const fresh = makeConnector();
    const username = 'moves';
    const first = await readAllAccounts(fresh, { username });
    const newDevice = await readAllAccounts(fresh, { username });
    expect(newDevice.seen).toEqual(first.seen);
    const refreshOf = ({ deviceToken }: typeof first) =>
      readAllAccounts(fresh, { username, deviceToken, attended: false });
    const advanced = await refreshOf(newDevice);
    expect(advanced.seen).not.toEqual(first.seen);
    const caughtUp = await refreshOf(first);
    expect(caughtUp.seen).toEqual(advanced.seen);
  });
});

/** The balance changes by the newly posted transactions. */
const expectBalanceFromPosted = (
  before: { account: { balance: { current: string } }; transactions: BankTransaction[] },
  after: typeof before,
): void => {
  const postedBefore = new Set(
    before.transactions.filter(({ status }) => status === 'posted').map(({ id }) => id),
  );
  const newlyPosted = after.transactions.filter(
    ({ id, status }) => status === 'posted' && !postedBefore.has(id),
  );
  const difference = minorUnits(after.account.balance.current) - minorUnits(before.account.balance.current);
  expect(difference).toBe(total(newlyPosted));
};

describe('rotates', () => {
  test('gives every transaction a new id at each sign-in and changes nothing else', async () => {
    const username = 'rotates';
    const first = await readAllAccounts(connector, { username });
    const { deviceToken } = first;
    const second = await readAllAccounts(connector, { username, attended: false, deviceToken });
    const ids = (seen: typeof first.seen): string[] =>
      seen.flatMap(({ transactions }) => transactions.map(({ id }) => id!));
    const all = [...ids(first.seen), ...ids(second.seen)];
    expect(new Set(all).size).toBe(all.length);
    const withoutIds = (seen: typeof first.seen) =>
      seen.map(({ account, transactions }) => ({
        account,
        transactions: transactions.map(({ id, ...rest }) => rest),
      }));
    expect(withoutIds(second.seen)).toEqual(withoutIds(first.seen));
  });
});

describe('twins', () => {
  test('has two identical transactions on one day, on every day', async () => {
    for (const day of [0, 1, 30, 365, 691, 692, 693, 730]) {
      const now = daysAfter(today, day);
      const { seen } = await readAllAccounts(connector, { username: 'twins', now });
      const transactions = seen.flatMap((one) => one.transactions);
      const counts = new Map<string, number>();
      for (const transaction of transactions) {
        const text = JSON.stringify({ ...transaction, status: '' });
        counts.set(text, (counts.get(text) ?? 0) + 1);
      }
      expect(
        [...counts.values()].filter((count) => count > 1),
        `after ${day} days`,
      ).toEqual([2]);
      expect(transactions.every(({ id }) => id === undefined)).toBe(true);
    }
  });
});

describe('large', () => {
  test('has 100,000 transactions, in chunks of 1,000', async () => {
    for (const day of process.env.TEST_ALL ? [0, 1, 17] : [17]) {
      const now = daysAfter(today, day);
      const { access } = await signInDirectly(connector, { username: 'large', now });
      const [account] = await connector.accounts(access, callAt(now));
      const history = await historyOf(connector, { access, accountId: account!.id }, callAt(now));
      expect(history.count).toBe(100_000);
      const sizes = new Set<number>();
      let count = 0;
      for await (const chunk of history.chunks) {
        sizes.add(chunk.length);
        count += chunk.length;
      }
      expect({ count, sizes: [...sizes] }).toEqual({ count: 100_000, sizes: [1_000] });
    }
  });
});

describe('currencies', () => {
  for (const [username, currency, form] of [
    ['usd', 'USD', /^-?\d+\.\d\d$/],
    ['jpy', 'JPY', /^-?\d+$/],
    ['bhd', 'BHD', /^-?\d+\.\d{3}$/],
  ] as const) {
    test(`${username} has accounts in ${currency}, with its decimals`, async () => {
      const { seen } = await readAllAccounts(connector, { username });
      expect(seen.length).toBe(3);
      for (const { account, transactions } of seen) {
        expect(account.currency).toBe(currency);
        const { asOf, ...amounts } = account.balance;
        expect(asOf).toBe(today.toISOString());
        for (const money of Object.values(amounts)) expect(money).toMatch(form);
        for (const { amount } of transactions) expect(amount).toMatch(form);
      }
      // Amounts use the last decimal place.
      const digits = new Set(
        seen.flatMap(({ transactions }) => transactions.map(({ amount }) => amount.at(-1))),
      );
      expect(digits.size).toBe(10);
    });
  }
});
