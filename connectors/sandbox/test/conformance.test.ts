// Runs the conformance suite on the sandbox connector, each step in a new instance, for every user who can sign in.

import type { Challenge } from '@bank-connection/connector-kit';
import { type ConnectorOptions, describeConnector } from '@bank-connection/connector-kit/conformance';
import { bankPageCode } from '../bankPage.ts';
import { sandboxInstitutions } from '../institutions.ts';
import { institutionId, makeConnector, today } from './fixture.ts';
import { makeMemoryStorage } from './memoryStorage.ts';

const storageOf = makeMemoryStorage();

const describeSandbox = (
  name: string,
  username: string,
  options: Pick<ConnectorOptions, 'challenged' | 'lagging' | 'limited' | 'asked'>,
): void =>
  describeConnector(name, {
    connect: () => ({ institutions: sandboxInstitutions, connector: makeConnector(storageOf) }),
    ...{ institutionId, unattended: true, now: today },
    user: { username, password: 'password' },
    wrong: { username, password: 'wrong' },
    ...options,
  });

const answers: Record<Challenge['kind'], string> = {
  code: '123456',
  question: 'blue',
  choice: 'phone',
  approval: '',
  redirect: `state=the+state&code=${bankPageCode('redirect', 'the state')}`,
  image: '7G4K',
};

describeSandbox('The sandbox connector', 'good', {
  challenged: ['otp', 'question', 'choose', 'captcha', 'push', 'redirect'].map((username) => ({
    name: username,
    user: { username, password: 'password1' },
    answer: ({ kind }) => answers[kind],
    wrongAnswer:
      username === 'push' ? undefined : { answer: 'not the answer', leadsTo: 'sameChallenge' as const },
  })),
  // This day's number since 1970 is odd.
  lagging: { user: { username: 'lags', password: 'password' }, now: new Date('2026-11-22T10:00:00Z') },
  limited: {
    user: { username: 'rate-limited', password: 'password' },
    now: new Date('2026-11-22T10:00:00Z'),
  },
  asked: { user: { username: 'statement-tan', password: 'password' }, answer: () => answers.code },
});

// Users without a challenge. `large` has 100,000 transactions and takes seconds, so only with TEST_ALL.
const unchallenged = [
  'slow',
  'moves',
  'lags',
  'forgetful',
  'edits',
  'rotates',
  'twins',
  'usd',
  'jpy',
  'bhd',
  'expires',
];
for (const username of process.env.TEST_ALL ? [...unchallenged, 'large'] : unchallenged) {
  describeSandbox(`The sandbox connector with user ${username}`, username, { challenged: [] });
}
