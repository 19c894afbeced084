// Runs the conformance suite on the FinTS connector with DKB's recorded data, each step in a new instance: with MT940, with camt,
// and with every kind of confirmation.
import type { Challenge } from '@bank-connection/connector-kit';
import { describeConnector } from '@bank-connection/connector-kit/conformance';
import { afterAll, beforeAll } from 'vitest';
import { credentialsOf, makeModule, now } from './fixture.ts';
import { startTestBank, type TestBank } from './testBank.ts';
import { rightTan } from './users.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await startTestBank();
});
afterAll(() => bank.close());

const answerOf = (challenge: Challenge): string => {
  if (challenge.kind === 'choice') return challenge.options.at(-1)!.id;
  return challenge.kind === 'approval' ? '' : rightTan;
};

const challenged = (
  username: string,
  wrongAnswer: { answer: string; leadsTo: 'sameChallenge' | 'end' } | undefined,
) => ({ name: username, user: credentialsOf(username), answer: answerOf, wrongAnswer });

const wrong = { answer: '000000', leadsTo: 'sameChallenge' } as const;
const common = {
  ...{ user: credentialsOf('free'), wrong: { username: 'free', pin: '00000' } },
  ...{ unattended: true, now },
  connect: () => makeModule(bank),
};

describeConnector('FinTS with DKB and MT940', {
  ...common,
  institutionId: 'dkb',
  challenged: [
    challenged('push', wrong),
    challenged('strict', { answer: '000000', leadsTo: 'end' }),
    challenged('test@user', undefined),
    challenged('methods', undefined),
    challenged('manual', wrong),
    challenged('photo', wrong),
    challenged('app', undefined),
  ],
});

describeConnector('FinTS with DKB and camt', {
  ...common,
  institutionId: 'dkb-camt',
  asked: { user: credentialsOf('everyStatement'), answer: answerOf },
  challenged: [challenged('push', wrong)],
});
