// Tests banks that want a TAN for a statement: the end user enters one per account before the import, and refreshes ask for none.
import { expect, test } from 'vitest';
import {
  answer,
  approveReading,
  call,
  callAt,
  card,
  expectChallenge,
  expectSignedIn,
  giro,
  makeModule,
  read,
  readAccount,
  signIn,
  startBank,
} from './fixture.ts';
import { said } from './segments.ts';
import type { TestBank } from './testBank.ts';
import { rightTan } from './users.ts';

const signInUnasked = async (bank: TestBank, username: string, institutionId = 'dkb-camt') =>
  expectSignedIn(await signIn(bank, username, { institutionId }));

const approved = async (bank: TestBank, username: string): Promise<string> => {
  const code = await signIn(bank, username);
  return expectSignedIn(await answer(bank, code, rightTan)).access;
};

/** The received orders for statements. */
const statements = ({ received }: TestBank): string[] =>
  received.flatMap(({ segments }) => segments).filter((text) => /^(HKCAZ|HKKAZ)/.test(text));

/** The number of dialogs that were opened for orders. */
const openings = ({ received }: TestBank): number =>
  received.filter(({ orders }) => orders[0] === 'HKIDN' && orders.includes('HKTAN')).length;

const amounts = ['-12.00', '123.45', '-3.10'];
const amountsOf = ({ transactions }: { transactions: { amount: string }[] }): string[] =>
  transactions.map(({ amount }) => amount);

test('page one comes with the TAN, and the import goes on from page two in the same dialog', async () => {
  const bank = await startBank();
  const { access } = await signInUnasked(bank, 'statementsOnly');
  const opened = openings(bank);
  const asked = await approveReading(bank, access, [giro]);
  expect(expectChallenge(asked).challenge).toMatchObject({
    ...{ kind: 'code', label: 'Bitte geben Sie die pushTAN ein.', hint: 'TAN2go, SomePhone1' },
  });
  const { access: newer } = expectSignedIn(await answer(bank, asked, rightTan));
  expect(statements(bank)).toHaveLength(1);
  // As when a choice of accounts is repeated.
  expect(expectSignedIn(await approveReading(bank, newer, [giro])).access).toBe(newer);
  const reading = await read(bank, newer, { accountIds: [giro] });
  const history = await readAccount(reading, giro);
  expect(amountsOf(history)).toEqual(amounts);
  expect(history).toMatchObject({ completeFrom: '2018-06-29', completeTo: '2019-09-22' });
  await reading.end();
  expect(statements(bank).map((text) => /PAGE\d/.exec(text)?.[0])).toEqual([undefined, 'PAGE1', 'PAGE2']);
  expect(openings(bank)).toBe(opened);
});

const november = callAt(new Date('2019-11-21T12:00:00Z'));

/** Signs in at a bank with three accounts. */
const signInAtConsors = async () => {
  const bank = await startBank();
  bank.today = '2019-11-21';
  const { access, deviceToken } = await signInUnasked(bank, 'statementsOnly', 'consors');
  const accounts = await makeModule(bank).connector.accounts(access, november);
  const ids = accounts.map(({ id }) => id);
  bank.received.length = 0;
  return { bank, access, ids, deviceToken };
};

test('each of several accounts has its TAN, and the question says which', async () => {
  const { bank, access, ids } = await signInAtConsors();
  let step = await approveReading(bank, access, ids, november);
  for (const index of [1, 2, 3]) {
    const { label } = expectChallenge(step).challenge;
    expect(label).toBe(`Konto ${index} von 3: Bitte TAN eingeben.`);
    step = await answer(bank, step, rightTan, november);
  }
  const reading = await read(bank, expectSignedIn(step).access, { accountIds: ids }, november);
  const histories = [];
  for (const id of ids) histories.push(await readAccount(reading, id));
  expect(histories.map(({ transactions }) => transactions.length)).toEqual([3, 0, 0]);
  expect(statements(bank)).toHaveLength(3);
});

test('an approval in an app is waited for, in the words of the bank', async () => {
  const bank = await startBank();
  const { access } = await signInUnasked(bank, 'statementsByApp');
  const asked = await approveReading(bank, access, [giro, card]);
  expect(expectChallenge(asked).challenge).toEqual({
    ...{ kind: 'approval', pollSeconds: 1, label: 'Konto 1 von 2: Bitte in der App freigeben.' },
  });
  const pending = await answer(bank, asked, '');
  expect(expectChallenge(pending).challenge).toEqual(expectChallenge(asked).challenge);
  const { access: newer } = expectSignedIn(await answer(bank, pending, ''));
  const reading = await read(bank, newer, { accountIds: [giro, card] });
  expect(amountsOf(await readAccount(reading, giro))).toEqual(amounts);
});

test('a wrong TAN is asked for again without another order', async () => {
  const bank = await startBank();
  const { access } = await signInUnasked(bank, 'statementsOnly');
  const again = await answer(bank, await approveReading(bank, access, [giro]), '000000');
  expect(expectChallenge(again).retry).toEqual({ attemptsLeft: null });
  const { access: newer } = expectSignedIn(await answer(bank, again, rightTan));
  expect(statements(bank)).toHaveLength(1);
  expect(amountsOf(await readAccount(await read(bank, newer), giro))).toEqual(amounts);
});

test('a bank that does not ask has one order for each account, which the import does not send again', async () => {
  const bank = await startBank();
  const { access } = await signInUnasked(bank, 'free');
  bank.received.length = 0;
  const { access: newer } = expectSignedIn(await approveReading(bank, access, [giro, card]));
  expect(bank.received.map(({ orders }) => orders[0])).toEqual(['HKCAZ', 'DKKKU']);
  const reading = await read(bank, newer, { accountIds: [giro, card] });
  expect(amountsOf(await readAccount(reading, giro))).toEqual(amounts);
  expect(amountsOf(await readAccount(reading, card))).toHaveLength(2);
  expect(statements(bank)).toHaveLength(3);
});

test('the first refresh sends one order at most, the next nothing, until an attended sign-in is not asked', async () => {
  const bank = await startBank();
  const { deviceToken } = await signInUnasked(bank, 'statementsOnly');
  const signInAs = (attended: boolean, token: string) =>
    signIn(bank, 'statementsOnly', { institutionId: 'dkb-camt', attended, deviceToken: token });
  const first = expectSignedIn(await signInAs(false, deviceToken!));
  bank.received.length = 0;
  const reading = await read(bank, first.access, { since: '2019-09-01' });
  await expect(readAccount(reading, giro)).rejects.toMatchObject({ reason: 'user_action_required' });
  const { deviceToken: marked } = await reading.end();
  expect(statements(bank)).toHaveLength(1);
  bank.received.length = 0;
  await expect(signInAs(false, marked!)).rejects.toMatchObject({ reason: 'user_action_required' });
  expect(bank.received).toEqual([]);
  // The question was about older days, which a refresh does not read.
  const { access } = expectSignedIn(await signInAs(true, marked!));
  const asked = await answer(bank, await approveReading(bank, access, [giro]), rightTan);
  await expect(signInAs(false, expectSignedIn(asked).deviceToken!)).rejects.toThrow();
  bank.intercept = ({ orders }) => (orders[0] === 'HKCAZ' ? { segments: said.nothing.text } : undefined);
  const unasked = expectSignedIn(await approveReading(bank, access, [giro]));
  expectSignedIn(await signInAs(false, unasked.deviceToken!));
});

test('a question about the days of a refresh is remembered at once, and one about older days is not', async () => {
  const bank = await startBank();
  const { access, deviceToken } = await signInUnasked(bank, 'statementsOnly');
  const isLong = (text: string) => text.includes('+20180629+');
  bank.intercept = ({ segments }) =>
    segments.some(isLong) ? { segments: said.orderFailed.text } : undefined;
  const recent = await answer(bank, await approveReading(bank, access, [giro]), rightTan);
  const signInLater = (username: string, token: string | undefined) =>
    signIn(bank, username, { institutionId: 'dkb-camt', attended: false, deviceToken: token });
  const { deviceToken: marked } = expectSignedIn(recent);
  await expect(signInLater('statementsOnly', marked)).rejects.toMatchObject({
    reason: 'user_action_required',
  });
  expectSignedIn(await signInLater('statementsOnly', deviceToken));
  bank.intercept = () => undefined;
  const older = await approveReading(bank, await approved(bank, 'olderAlways'), [giro]);
  const { access: all, deviceToken: unmarked } = expectSignedIn(await answer(bank, older, rightTan));
  const reading = await read(bank, all, { accountIds: [giro] });
  expect(await readAccount(reading, giro)).toMatchObject({ completeFrom: '2018-09-27' });
  const next = expectSignedIn(await signIn(bank, 'olderAlways', { attended: false, deviceToken: unmarked }));
  expect(await readAccount(await read(bank, next.access), giro)).toMatchObject({
    completeFrom: '2019-06-25',
  });
});

test('a dialog that ended before the order is reopened', async () => {
  const bank = await startBank();
  const { access } = await signInUnasked(bank, 'statementsOnly');
  const endings = [
    () => bank.endDialogs(),
    () => {
      let isNew = false;
      bank.intercept = ({ orders }) => {
        isNew ||= orders.includes('HKIDN');
        return isNew ? undefined : { segments: "HIRMG:2:2+9050::Fehler.'HIRMS:3:2:3+9120::Unbekannt.'" };
      };
    },
  ];
  for (const end of endings) {
    end();
    const before = openings(bank);
    const asked = await approveReading(bank, access, [giro]);
    expect(openings(bank)).toBe(before + 1);
    const { access: newer } = expectSignedIn(await answer(bank, asked, rightTan));
    expect(amountsOf(await readAccount(await read(bank, newer), giro))).toEqual(amounts);
  }
});

const losses: [what: string, segments: string | undefined, opened: number][] = [
  ['the dialog has ended', undefined, 1],
  ['the bank ends the dialog by 9340', "HIRMG:2:2+9800::Abbruch.'HIRMS:3:2:2+9340::Signatur.'", 1],
  ['the bank wants a stronger sign-in', said.strongAuthentication.text, 1],
  ['the bank refuses the order', said.orderFailed.text, 0],
];
test.each(losses)(
  'after an answer to which %s, the account lags, and the others are asked about',
  async (_, segments, opened) => {
    const { bank, access, ids } = await signInAtConsors();
    const asked = await approveReading(bank, access, ids, november);
    if (segments === undefined) bank.endDialogs();
    else bank.intercept = ({ tan }) => (tan === rightTan ? { segments } : undefined);
    let step = await answer(bank, asked, rightTan, november);
    bank.intercept = () => undefined;
    expect(expectChallenge(step).challenge.label).toMatch(/^Konto 2 von 3: /);
    for (let index = 0; index < 2; index++) step = await answer(bank, step, rightTan, november);
    const reading = await read(bank, expectSignedIn(step).access, { accountIds: ids }, november);
    await expect(readAccount(reading, ids[0]!)).rejects.toMatchObject({ reason: 'incomplete' });
    for (const id of ids.slice(1)) expect(await readAccount(reading, id)).toMatchObject({ transactions: [] });
    expect(statements(bank).map((text) => ids.findIndex((id) => text.includes(id)))).toEqual([0, 1, 2]);
    expect(openings(bank)).toBe(opened);
  },
);

test('an end user whom the bank refuses at a statement is not linked', async () => {
  const bank = await startBank();
  const { access } = await signInUnasked(bank, 'statementsOnly');
  const refusals = [
    [said.wrongTanEnds.text, 'wrong_answer'],
    [said.locked.text, 'locked'],
  ] as const;
  for (const [segments, reason] of refusals) {
    const asked = await approveReading(bank, access, [giro]);
    bank.intercept = () => ({ segments });
    await expect(answer(bank, asked, '000000')).rejects.toMatchObject({ reason });
    bank.intercept = () => undefined;
  }
});

test('a dialog that ends after the answer: a page that is all is used, and one that others follow is not ordered again', async () => {
  const { bank, access, ids } = await signInAtConsors();
  const step = await answer(bank, await approveReading(bank, access, ids.slice(0, 1), november), rightTan);
  bank.endDialogs();
  const context = november;
  const reading = await read(bank, expectSignedIn(step).access, { accountIds: ids.slice(0, 1) }, context);
  expect(amountsOf(await readAccount(reading, ids[0]!))).toHaveLength(3);
  expect(statements(bank)).toHaveLength(1);

  const camt = await startBank();
  const { access: before } = await signInUnasked(camt, 'statementsOnly');
  const { access: after } = expectSignedIn(
    await answer(camt, await approveReading(camt, before, [giro, card]), rightTan),
  );
  camt.endDialogs();
  const both = await read(camt, after, { accountIds: [giro, card] });
  await expect(readAccount(both, giro)).rejects.toMatchObject({ reason: 'incomplete' });
  expect(amountsOf(await readAccount(both, card))).toHaveLength(2);
  // If no other account is read, the user must return.
  await expect(read(camt, after, { accountIds: [giro] })).rejects.toMatchObject({
    reason: 'user_action_required',
  });
  expect(statements(camt)).toHaveLength(1);
});

test('an account about which the bank first asks in the import lags, and is not ordered at the next attempt', async () => {
  const bank = await startBank();
  const { access } = await signInUnasked(bank, 'statementsOnly');
  bank.intercept = ({ orders }) => (orders[0] === 'HKCAZ' ? { segments: said.orderFailed.text } : undefined);
  const { access: unread } = expectSignedIn(await approveReading(bank, access, [giro, card]));
  bank.intercept = () => undefined;
  const reading = await read(bank, unread, { accountIds: [giro, card] });
  await expect(readAccount(reading, giro)).rejects.toMatchObject({ reason: 'incomplete' });
  const { access: next } = await reading.end();
  const before = statements(bank).length;
  const again = await read(bank, next!, { accountIds: [giro, card] });
  await expect(readAccount(again, giro)).rejects.toMatchObject({ reason: 'incomplete' });
  expect(await readAccount(again, card)).toMatchObject({ completeTo: '2019-09-22' });
  expect(statements(bank)).toHaveLength(before);
});

test.each([
  ['refuses the orders', { segments: said.orderFailed.text }],
  ['cannot be reached', 'close'],
  ['ends each dialog', { segments: "HIRMG:2:2+9800::Abbruch.'" }],
  ['wants a stronger sign-in', { segments: said.strongAuthentication.text }],
] as const)('a bank that %s keeps nobody from linking', async (_, intercepted) => {
  const bank = await startBank();
  const { access } = await signInUnasked(bank, 'free');
  bank.intercept = ({ orders }) => (orders[0] === 'HKSAL' ? undefined : intercepted);
  const { access: unread } = expectSignedIn(await approveReading(bank, access, [giro]));
  bank.intercept = () => undefined;
  expect(amountsOf(await readAccount(await read(bank, unread), giro))).toEqual(amounts);
});

/** An empty page with this many bytes of blanks, and a TAN if the bank wants one. */
const longPage = `${said.done.text}HICAZ:5:1:3+DE00+camt+@9000000@${' '.repeat(9_000_000)}'`;

test('a page beyond 8 MB is ordered again by the import, and the account lags where the bank has asked', async () => {
  const bank = await startBank();
  const { access } = await signInUnasked(bank, 'free');
  bank.intercept = ({ orders }) => (orders[0] === 'HKCAZ' ? { segments: longPage } : undefined);
  const { access: unread } = expectSignedIn(await approveReading(bank, access, [giro, card]));
  expect(unread.length).toBeLessThan(100_000);
  bank.intercept = () => undefined;
  expect(amountsOf(await readAccount(await read(bank, unread), giro))).toEqual(amounts);

  const { access: asking } = await signInUnasked(bank, 'statementsOnly');
  const asked = await approveReading(bank, asking, [giro, card], call);
  bank.intercept = ({ tan }) => (tan === rightTan ? { segments: longPage } : undefined);
  const { access: dropped } = expectSignedIn(await answer(bank, asked, rightTan));
  bank.intercept = () => undefined;
  const before = statements(bank).length;
  const reading = await read(bank, dropped, { accountIds: [giro, card] });
  await expect(readAccount(reading, giro)).rejects.toMatchObject({ reason: 'incomplete' });
  expect(amountsOf(await readAccount(reading, card))).toHaveLength(2);
  expect(statements(bank)).toHaveLength(before);
});
