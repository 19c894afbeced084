// Tests of reading: the transactions in the approved dialog of a first import, in later dialogs, and after failures.
import { BankUnreachable, type Reading } from '@bank-connection/connector-kit';
import { expect, test } from 'vitest';
import {
  answer,
  approveReading,
  call,
  callAt,
  card,
  expectSignedIn,
  giro,
  makeModule,
  now,
  read,
  readAccount,
  signIn,
  startBank,
} from './fixture.ts';
import { said } from './segments.ts';
import type { Intercepted, Received, TestBank } from './testBank.ts';
import { rightTan } from './users.ts';

const approve = async (bank: TestBank, username: string, institutionId = 'dkb'): Promise<string> => {
  const code = await signIn(bank, username, { institutionId });
  return expectSignedIn(await answer(bank, code, rightTan)).access;
};

const signInFree = async (bank: TestBank, institutionId = 'dkb'): Promise<string> =>
  expectSignedIn(await signIn(bank, 'free', { institutionId })).access;

/** Starts reading one account of the user without TANs. */
const startReading = async (accountId: string, institutionId?: string) => {
  const bank = await startBank();
  const access = await signInFree(bank, institutionId);
  return { bank, reading: await read(bank, access, { accountIds: [accountId] }) };
};

const expectIncomplete = (reading: Reading, accountId: string): Promise<void> =>
  expect(readAccount(reading, accountId)).rejects.toMatchObject({ reason: 'incomplete' });

/** Responds with these segments to each message that begins with this order. */
const answerTo = (bank: TestBank, order: string, segments: string): void => {
  bank.intercept = ({ orders }) => (orders[0] === order ? { segments } : undefined);
};

/** All messages that open a dialog. */
const openings = ({ received }: TestBank): Received[] =>
  received.filter(({ orders }) => orders.includes('HKIDN'));

test('both recorded pages are read, with the entry that the page ends in', async () => {
  const { reading } = await startReading(giro);
  const { transactions, ...rest } = await readAccount(reading, giro);
  await reading.end();
  expect(rest).toEqual({ completeFrom: '2019-06-25', completeTo: '2019-09-22' });
  expect(transactions).toMatchObject([
    { date: '2019-09-04', amount: '-12.00', status: 'posted' },
    { date: '2019-09-14', amount: '123.45', status: 'posted' },
  ]);
  expect(transactions[1]!.description).toContain('Käse');
});

test('camt: all documents of all pages are read, past an empty one, with what is pending', async () => {
  const { reading } = await startReading(giro, 'dkb-camt');
  const { transactions } = await readAccount(reading, giro);
  expect(transactions).toMatchObject([
    { date: '2019-09-04', amount: '-12.00', status: 'posted' },
    { date: '2019-09-14', amount: '123.45', status: 'posted' },
    { date: '2019-09-21', amount: '-3.10', status: 'pending' },
  ]);
  expect(transactions[0]!.description).toContain('Überweisung & mehr');
});

test('a card is read by an order of its own', async () => {
  const { reading } = await startReading(card);
  const { transactions } = await readAccount(reading, card);
  expect(transactions).toEqual([
    {
      ...{ date: '2019-08-30', amount: '-1234.5', description: 'HOTEL ADLON BERLIN' },
      ...{ reference: '', status: 'posted' },
    },
    {
      ...{ date: '2019-09-10', amount: '-49.99', description: 'STREAMING' },
      ...{ reference: '', status: 'posted' },
    },
  ]);
});

/** HIKKU: card, number, balance and two days, then transactions. */
const cardPage = (...transactions: string[]): string =>
  `HIKKU:5:1:3+${['493000******4567', '', 'D:50,25:EUR:20190920', '20190901', '20191001', ...transactions].join('+')}'`;
const cardTransaction = (days: string, amounts: string, texts: string): string =>
  `493000******4567:${days}:${amounts}:${texts}:DE:Buchladen GmbH:T1:N:REF`;

test.each([
  ['N', ''],
  ['J', '::4930000001234567::280:ABCDEFGH'],
])(
  'a card is read by HKKKU where the bank takes it for days (account needed: %s)',
  async (needed, account) => {
    const bank = await startBank();
    const pages = [
      cardPage(
        cardTransaction(
          '20190908:20190910:20191001:20190910',
          '10,00:USD:D:0,9:9,00:EUR:D',
          'Buch:Berlin:::::ff:',
        ),
        cardTransaction('20190911:::', '::::5,:EUR:C', ':::::::'),
      ),
      cardPage(cardTransaction('20190912:20190913::', '::::1.234,5:EUR:D', 'Hotel:::::::'), ':'.repeat(28)),
    ];
    let sent = 0;
    bank.intercept = ({ orders, segments }) => {
      if (orders.includes('HKIDN'))
        return {
          also: `HIKKUS:98:1:4+1+1+0+200:N:J:${needed}'HIUPD:99:6:4+${card}::280:ABCDEFGH++user+50+EUR+N++VISA++HKKKU:1'`,
        };
      if (orders[0] !== 'HKKKU' || segments[0]!.includes('+20190922+20190922')) return undefined;
      sent += 1;
      const more = sent === 1 ? '+3040::Mehr.:PAGE?+1' : '';
      return { segments: said.done.text.replace(/'$/, `${more}'`) + pages[sent - 1] };
    };
    const { access } = expectSignedIn(await signIn(bank, 'free'));
    const reading = await read(bank, access, { accountIds: [card] });
    const { transactions, ...days } = await readAccount(reading, card);
    expect(days).toEqual({ completeFrom: '2019-06-25', completeTo: '2019-09-22' });
    expect(transactions).toMatchObject([
      { date: '2019-09-10', amount: '-9.00', description: 'Buch Berlin ff', status: 'posted' },
      { date: '2019-09-11', amount: '5', description: 'Buchladen GmbH' },
      { date: '2019-09-13', amount: '-1234.5', description: 'Hotel' },
    ]);
    const orders = bank.received
      .flatMap(({ segments }) => segments)
      .filter((text) => text.startsWith('HKKKU'));
    expect(orders.slice(-2)).toEqual([
      `HKKKU:3:1+${account}+${card}++20190625+20190922`,
      `HKKKU:3:1+${account}+${card}++20190625+20190922++PAGE?+1`,
    ]);
  },
);

test('a card that the bank does not show for days is read by its own order', async () => {
  const bank = await startBank();
  bank.intercept = ({ orders }) =>
    orders.includes('HKIDN')
      ? { also: `HIKKUS:98:1:4+1+1+0+200:N:N:N'HIUPD:99:6:4+${card}::280:1++user+50+EUR+N++VISA++HKKKU:1'` }
      : undefined;
  const { access } = expectSignedIn(await signIn(bank, 'free'));
  const { transactions } = await readAccount(await read(bank, access), card);
  expect(transactions).toHaveLength(2);
  expect(bank.received.flatMap(({ orders }) => orders)).not.toContain('HKKKU');
});

test('the first import goes on in the approved dialog, in another process, with everything that the bank keeps', async () => {
  const bank = await startBank();
  const access = await approve(bank, 'older');
  const before = openings(bank).length;
  const reading = await read(bank, access, { accountIds: [giro] });
  const { completeFrom, transactions } = await readAccount(reading, giro);
  expect(completeFrom).toBe('2018-09-27');
  expect(transactions).toHaveLength(2);
  const { access: newer } = await reading.end();
  expect(openings(bank)).toHaveLength(before);
  expect(bank.received.at(-1)!.orders).toEqual(['HKEND']);
  // The dialog has ended: the next read opens one, in which the bank shows 89 days.
  const next = await read(bank, newer!, { accountIds: [giro] });
  expect(await readAccount(next, giro)).toMatchObject({ completeFrom: '2019-06-25' });
  expect(openings(bank)).toHaveLength(before + 1);
});

test('an approved dialog that has expired is opened again, and 89 days are read', async () => {
  const bank = await startBank();
  const access = await approve(bank, 'older');
  bank.endDialogs();
  const reading = await read(bank, access, { accountIds: [giro] });
  expect(await readAccount(reading, giro)).toMatchObject({
    completeFrom: '2019-06-25',
    transactions: [{ amount: '-12.00' }, { amount: '123.45' }],
  });
});

const endings: [what: string, answer: Intercepted][] = [
  ['an HTTP error', { status: 500 }],
  ['a closed connection', 'close'],
  ['9010 of the message', { segments: "HIRMG:2:2+9010::Dialog unbekannt.'" }],
  ['9120 of the order', { segments: "HIRMG:2:2+9050::Fehler.'HIRMS:3:2:3+9120::Nicht bekannt.'" }],
  ['9340', { segments: "HIRMG:2:2+9800::Abbruch.'HIRMS:3:2:2+9340::Ungueltige Signatur.'" }],
];
test.each(endings)('an approved dialog that ends by %s is opened again, once', async (_, ending) => {
  const bank = await startBank();
  const access = await approve(bank, 'older');
  const before = openings(bank).length;
  let isNew = false;
  bank.intercept = ({ orders }) => {
    isNew ||= orders.includes('HKIDN');
    return isNew ? undefined : ending;
  };
  const reading = await read(bank, access, { accountIds: [giro] });
  expect(await readAccount(reading, giro)).toMatchObject({
    ...{ completeFrom: '2019-06-25', transactions: [{}, {}] },
  });
  expect(openings(bank)).toHaveLength(before + 1);
  bank.intercept = () => ending;
  await expect(read(bank, access, { accountIds: [giro] })).rejects.toThrow();
  expect(openings(bank)).toHaveLength(before + 2);
});

test('an approved dialog in which one balance of several fails goes on', async () => {
  const bank = await startBank();
  const access = await approve(bank, 'older');
  answerTo(bank, 'HKSAL', said.orderFailed.text);
  const reading = await read(bank, access, { accountIds: [giro] });
  expect(await readAccount(reading, giro)).toMatchObject({ completeFrom: '2018-09-27' });
});

test('days that the bank refuses are ordered again as 89 days, once', async () => {
  const bank = await startBank();
  const access = await approve(bank, 'older');
  const isLong = ({ segments }: Received) => segments.some((text) => text.includes('+20180927+'));
  bank.intercept = (message) => (isLong(message) ? { segments: said.orderFailed.text } : undefined);
  const reading = await read(bank, access, { accountIds: [giro] });
  expect(await readAccount(reading, giro)).toMatchObject({
    ...{ completeFrom: '2019-06-25', transactions: [{ amount: '-12.00' }, { amount: '123.45' }] },
  });
  answerTo(bank, 'HKKAZ', said.orderFailed.text);
  bank.received.length = 0;
  await expectIncomplete(reading, giro);
  expect(bank.received.map(({ orders }) => orders[0])).toEqual(['HKKAZ', 'HKKAZ']);
  bank.received.length = 0;
  const since = await read(bank, access, { accountIds: [giro], since: '2019-09-01' });
  await expectIncomplete(since, giro);
  expect(bank.received.filter(({ orders }) => orders[0] === 'HKKAZ')).toHaveLength(1);
});

test('an import that failed goes on in the approved dialog at its next attempt', async () => {
  const bank = await startBank();
  const access = await approve(bank, 'older');
  const before = openings(bank).length;
  answerTo(bank, 'HKKAZ', said.orderFailed.text);
  const failed = await read(bank, access, { accountIds: [giro] });
  await expectIncomplete(failed, giro);
  const renewal = await failed.end();
  bank.intercept = () => undefined;
  const again = await read(bank, renewal.access!, { accountIds: [giro] });
  expect(await readAccount(again, giro)).toMatchObject({
    completeFrom: '2018-09-27',
    transactions: [{}, {}],
  });
  expect(openings(bank)).toHaveLength(before);
});

test('a bank that wants a TAN for older transactions even then shows 89 days', async () => {
  const bank = await startBank();
  const reading = await read(bank, await approve(bank, 'olderAlways'), { accountIds: [giro] });
  expect(await readAccount(reading, giro)).toMatchObject({
    completeFrom: '2019-06-25',
    transactions: [{}, {}],
  });
});

test('a bank that wants a TAN for each statement needs its user', async () => {
  const bank = await startBank();
  const reading = await read(bank, await approve(bank, 'statements'), { accountIds: [giro] });
  await expect(readAccount(reading, giro)).rejects.toMatchObject({ reason: 'user_action_required' });
});

test('a new dialog for which the bank wants a TAN needs its user', async () => {
  const bank = await startBank();
  const access = await approve(bank, 'everyTime');
  bank.endDialogs();
  await expect(read(bank, access)).rejects.toMatchObject({ reason: 'user_action_required' });
});

test('a statement that the bank calls partial is not called complete', async () => {
  const bank = await startBank();
  const code = await signIn(bank, 'push', { institutionId: 'consors' });
  const { access } = expectSignedIn(await answer(bank, code, rightTan));
  const reading = await read(bank, access, { since: '2019-06-01' }, callAt(new Date('2019-11-21T12:00:00Z')));
  const [first, second] = reading.accounts;
  const { transactions, ...days } = await readAccount(reading, first!.id);
  expect(transactions.map(({ date, amount }) => [date, amount])).toEqual([
    ['2019-11-18', '-2.8'],
    ['2019-11-20', '-11.3'],
    ['2019-11-20', '-15.5'],
  ]);
  expect(days).toEqual({});
  expect(await readAccount(reading, second!.id)).toEqual({
    ...{ completeFrom: '2019-08-23', completeTo: '2019-11-21' },
    transactions: [],
  });
});

test('an empty statement is an empty list', async () => {
  const bank = await startBank();
  const { access } = expectSignedIn(await signIn(bank, 'free', { institutionId: 'ing' }));
  const reading = await read(bank, access);
  for (const { id } of reading.accounts) {
    expect(await readAccount(reading, id)).toMatchObject({ completeTo: '2019-09-22', transactions: [] });
  }
});

const isPage2 = ({ segments }: Received): boolean => segments.some((text) => text.includes('9978-12-08'));
const isPage1 = (message: Received): boolean => message.orders[0] === 'HKKAZ' && !isPage2(message);
const pageWith = (text: string): string => `${said.dkbPage2.text}@${text.length}@${text}'`;
const damage = (from: string, to: string): string => {
  const text = said.dkbStatement1.text;
  if (!text.includes(from)) throw new Error(`There is no ${from}.`);
  return pageWith(text.replace(from, to));
};
const messageOnly = "HIRMG:2:2+0010::Nachricht entgegengenommen.'";

type Failure = [what: string, when: (message: Received) => boolean, answer: Intercepted, reason: string];
const failures: Failure[] = [
  ['a bank that goes down in the middle', isPage2, { status: 503 }, 'down'],
  ['a connection that breaks', isPage2, 'close', 'down'],
  ['a redirect', isPage2, { status: 302 }, 'down'],
  ['a page of HTML', isPage1, { body: '<html><body>Wartung</body></html>' }, 'incomplete'],
  ['an empty body', isPage1, { body: '' }, 'incomplete'],
  ['a page that fails', isPage2, { segments: said.orderFailed.text }, 'incomplete'],
  ['a dialog that ends', isPage2, { segments: said.unknownDialog.text }, 'down'],
  ['a damaged amount', isPage1, { segments: damage('DR12,00', 'DR1x,00') }, 'incomplete'],
  ['a damaged day', isPage1, { segments: damage('1909030904', '1919030904') }, 'incomplete'],
  ['an account that the bank does not know', isPage1, { segments: said.unknownAccount.text }, 'incomplete'],
  ['an answer without a statement', isPage1, { segments: said.done.text }, 'incomplete'],
  ['nothing about the question for a TAN', isPage1, { segments: said.nothingAboutTan.text }, 'incomplete'],
  ['an account that was not looked for', isPage1, { segments: said.notCarriedOut.text }, 'incomplete'],
  ['a page without a statement', isPage2, { segments: said.done.text }, 'incomplete'],
  ['an answer without a word about the order', isPage1, { segments: messageOnly }, 'incomplete'],
  [
    'more pages without a mark',
    isPage2,
    { segments: `${said.dkbPage2.text}@0@'`.replace('+0020', '+3040::Mehr.+0020') },
    'incomplete',
  ],
  // In addition to transactions: without any, the page would be incomplete anyway.
  ['a later page that the bank calls partial', isPage2, { also: said.partial.text }, 'incomplete'],
  ['a statement that is not one', isPage1, { segments: pageWith('Keine Umsaetze vorhanden') }, 'incomplete'],
];
test.each(failures)('%s gives no transactions', async (_, when, intercepted, reason) => {
  const bank = await startBank();
  const reading = await read(bank, await signInFree(bank));
  bank.intercept = (message) => (when(message) ? intercepted : undefined);
  const failed = await readAccount(reading, giro).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(BankUnreachable);
  expect(failed).toMatchObject({ reason });
  // The other account responds, in the same dialog.
  expect(await readAccount(reading, card)).toMatchObject({ transactions: [{}, {}] });
  await reading.end();
});

test('damaged camt and damaged cards give no transactions', async () => {
  const bank = await startBank();
  const reading = await read(bank, await signInFree(bank, 'dkb-camt'));
  const xml = '<Document><BkToCstmrAcctRpt><Rpt><Ntry><Amt Ccy="EUR">1x</Amt></Ntry></Rpt>';
  bank.intercept = ({ orders }) => {
    if (orders[0] === 'HKCAZ')
      return { segments: `${said.done.text}HICAZ:5:1:3+IBAN+camt+@${xml.length}@${xml}'` };
    if (orders[0] !== 'DKKKU') return undefined;
    return {
      segments: `${said.done.text}DIKKU:5:2:3+1++C:1,:EUR:20190920+++1:20190910:20190910::1,:EUR:D::x:EUR:D:T:J'`,
    };
  };
  await expectIncomplete(reading, giro);
  await expectIncomplete(reading, card);
});

const balanceSegment = (balance: string): string =>
  `${said.done.text}HISAL:7:5:3+1234567890::280:1+Giro+EUR+${balance}'`;

const signInForBalances = async (bank: TestBank) => {
  const { access } = expectSignedIn(await signIn(bank, 'free'));
  const accounts = await makeModule(bank).connector.accounts(access, call);
  return accounts.map(({ balance }) => balance);
};

test.each(['C:123,45:EUR', 'C:123,45:EUR:', 'C:123,45:EUR::120000'])(
  'a balance without a day, %s, is the one of the call',
  async (balance) => {
    const bank = await startBank();
    answerTo(bank, 'HKSAL', balanceSegment(balance));
    const [first] = await signInForBalances(bank);
    expect(first).toEqual({ current: '123.45', asOf: now.toISOString() });
  },
);

const unreadableBalances: [what: string, segments: string][] = [
  ['with a damaged amount', balanceSegment('C:12x,45:EUR:20190909')],
  ['with an impossible day', balanceSegment('C:12,45:EUR:20191332')],
  ['that is empty', balanceSegment('')],
  ['that the bank does not tell', said.orderFailed.text],
];
test.each(unreadableBalances)('a balance %s costs no other account', async (_, segments) => {
  const bank = await startBank();
  answerTo(bank, 'HKSAL', segments);
  expect(await signInForBalances(bank)).toMatchObject([undefined, { current: '50.25' }]);
  bank.intercept = ({ orders }) => (['HKSAL', 'DKKKU'].includes(orders[0]!) ? { segments } : undefined);
  expect(await signInForBalances(bank)).toEqual([undefined, undefined]);
});

test('a segment that nobody needs may have any content', async () => {
  const bank = await startBank();
  answerTo(bank, 'HKSPA', `${said.dkbIbans.text}HIXYZ:9:1+@4@'+:''HISPA:x'`);
  await expect(signIn(bank, 'free')).rejects.toMatchObject({ reason: 'incomplete' });
  answerTo(bank, 'HKSPA', `${said.dkbIbans.text}HIXYZ:9:1+@4@'+:''HITAN:x'`);
  expectSignedIn(await signIn(bank, 'free'));
});

test('a message that is longer than allowed is incomplete', async () => {
  const bank = await startBank();
  const { connector } = makeModule(bank, { answerBytesMax: 3000 });
  const request = {
    institution: { id: 'dkb' },
    credentials: { username: 'free', pin: '12345' },
    attended: true,
  };
  await expect(connector.signIn(request, call)).rejects.toMatchObject({ reason: 'incomplete' });
});

test('pages that are longer together than allowed are incomplete', async () => {
  const bank = await startBank();
  const access = await signInFree(bank);
  const length = 40_000;
  const page = `${said.dkbPage1.text}@${length}@${' '.repeat(length)}'`;
  bank.intercept = ({ orders }) =>
    orders[0] === 'HKKAZ'
      ? { segments: page.replace('9978-12-08', `mark${bank.received.length}`) }
      : undefined;
  const { connector } = makeModule(bank, { answerBytesMax: 200_000 });
  const reading = await connector.read(access, { accountIds: [giro] }, call);
  bank.received.length = 0;
  await expectIncomplete(reading, giro);
  expect(bank.received.length).toBeLessThan(8);
});

test('a continuation mark that comes again is incomplete at once', async () => {
  const { bank, reading } = await startReading(giro);
  answerTo(bank, 'HKKAZ', `${said.dkbPage1.text}@0@'`);
  bank.received.length = 0;
  await expectIncomplete(reading, giro);
  expect(bank.received).toHaveLength(2);
});

test('an answer about a card without its transactions is incomplete, or empty where the bank says so', async () => {
  const { bank, reading } = await startReading(card);
  answerTo(bank, 'DKKKU', said.done.text);
  await expectIncomplete(reading, card);
  answerTo(bank, 'DKKKU', said.nothing.text);
  expect(await readAccount(reading, card)).toMatchObject({ completeTo: '2019-09-22', transactions: [] });
});

test('a continuation mark that is longer than FinTS allows is incomplete', async () => {
  const { bank, reading } = await startReading(giro);
  answerTo(bank, 'HKKAZ', said.nothing.text.replace(/'$/, `+3040::Mehr.:${'x'.repeat(36)}'`));
  await expectIncomplete(reading, giro);
});

test('a bank that was taken off the list is down', async () => {
  const bank = await startBank();
  const access = (await signInFree(bank)).replace('"institutionId":"dkb"', '"institutionId":"gone"');
  await expect(read(bank, access)).rejects.toMatchObject({ reason: 'down' });
});

/** Runs a call that hangs at one order, aborts it, and expects a timeout. */
const expectTimeout = async (
  bank: TestBank,
  order: string,
  run: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> => {
  const abort = new AbortController();
  let hangs = 0;
  bank.intercept = ({ orders }) => {
    if (!orders.includes(order)) return undefined;
    hangs += 1;
    setImmediate(() => abort.abort());
    return 'hang';
  };
  await expect(run(abort.signal), order).rejects.toMatchObject({ reason: 'timeout' });
  expect(hangs, order).toBe(1);
  bank.intercept = () => undefined;
};

test('an abort ends every call while the bank does not answer', async () => {
  const bank = await startBank();
  const at = (signal: AbortSignal) => callAt(now, signal);
  for (const order of ['HKSYN', 'HKTAB', 'HKSPA', 'HKSAL', 'DKKKU', 'HKEND']) {
    await expectTimeout(bank, order, (signal) => signIn(bank, 'free', {}, at(signal)));
  }
  for (const username of ['push', 'app']) {
    const asked = await signIn(bank, username);
    await expectTimeout(bank, 'HKTAN', (signal) => answer(bank, asked, rightTan, at(signal)));
  }
  const methods = await signIn(bank, 'methods');
  await expectTimeout(bank, 'HKTAB', (signal) => answer(bank, methods, '921', at(signal)));
  const media = await answer(bank, methods, '921');
  await expectTimeout(bank, 'HKIDN', (signal) => answer(bank, media, 'SomePhone1', at(signal)));
  const access = await signInFree(bank);
  await expectTimeout(bank, 'HKSAL', (signal) => read(bank, access, {}, at(signal)));
  await expectTimeout(bank, 'HKIDN', (signal) => read(bank, access, {}, at(signal)));
  await expectTimeout(bank, 'HKKAZ', async (signal) =>
    approveReading(bank, await signInFree(bank), [giro], at(signal)),
  );
  for (const order of ['HKKAZ', 'HKEND']) {
    await expectTimeout(bank, order, async (signal) => {
      const reading = await read(bank, access, {}, at(signal));
      if (order === 'HKKAZ') return readAccount(reading, giro);
      return reading.end();
    });
  }
  await expectTimeout(bank, 'HKCAZ', async (signal) => {
    const reading = await read(bank, await signInFree(bank, 'dkb-camt'), {}, at(signal));
    return readAccount(reading, giro);
  });
});
