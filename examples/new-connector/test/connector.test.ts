// Tests that the connector fulfills the contract, reads every page, and reports a stopped bank as down.
import { BankUnreachable } from '@bank-connection/connector-kit';
import { describeConnector, readHistory } from '@bank-connection/connector-kit/conformance';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHarbourBank } from '../src/bankServer.ts';
import { makeHarbourConnectorModule } from '../src/connector.ts';

let harbour: Awaited<ReturnType<typeof startHarbourBank>>;
beforeAll(async () => {
  harbour = await startHarbourBank();
});
afterAll(() => harbour.close());

const now = new Date('2026-03-01T12:00:00Z');
const call = { signal: new AbortController().signal, now, organizationId: 'org_0000000000000000000000' };

describeConnector('The example connector', {
  connect: () => makeHarbourConnectorModule(harbour.url),
  institutionId: 'harbour-bank',
  user: { customer: 'mia', pin: '2468' },
  unattended: true,
  wrong: { customer: 'mia', pin: '1357' },
  challenged: [
    {
      name: 'noor',
      user: { customer: 'noor', pin: '1357' },
      answer: () => '7788',
      wrongAnswer: { answer: '1234', leadsTo: 'sameChallenge' },
    },
  ],
  now,
});

test('the balance is the sum of the booked transactions, and every page is read', async () => {
  const { connector } = makeHarbourConnectorModule(harbour.url);
  const credentials = { customer: 'mia', pin: '2468' };
  const step = await connector.signIn(
    { institution: { id: 'harbour-bank' }, credentials, attended: true },
    call,
  );
  if (step.kind !== 'signedIn') throw new Error('mia has no challenge.');
  const reading = await connector.read(step.access, {}, call);
  const [account] = reading.accounts;
  const transactions = await readHistory(await reading.history(account!.id));
  await reading.end();
  expect(transactions.length).toBe(45);
  const cents = (text: string): number => Number(text.replace('.', ''));
  const booked = transactions.filter(({ status }) => status === 'posted');
  expect(cents(account!.balance!.current)).toBe(booked.reduce((sum, { amount }) => sum + cents(amount), 0));
});

test('a stopped bank is unreachable', async () => {
  const stopped = await startHarbourBank();
  await stopped.close();
  const { connector } = makeHarbourConnectorModule(stopped.url);
  const signIn = connector.signIn(
    { institution: { id: 'harbour-bank' }, credentials: {}, attended: true },
    call,
  );
  await expect(signIn).rejects.toBeInstanceOf(BankUnreachable);
  await expect(signIn).rejects.toMatchObject({ reason: 'down' });
});
