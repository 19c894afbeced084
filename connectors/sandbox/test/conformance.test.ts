// Runs the conformance suite on the sandbox connector, each step in a new instance, for every user who can sign in.

import type { Challenge } from '@bank-connection/connector-kit';
import { type ConnectorOptions, describeConnector } from '@bank-connection/connector-kit/conformance';
import { bankPageCode } from '../bankPage.ts';
import { sandboxInstitutions } from '../institutions.ts';
import { sandboxUserCatalogue } from '../userCatalogue.ts';
import { institutionId, makeConnector, today } from './fixture.ts';
import { makeMemoryStorage } from './memoryStorage.ts';

const storageOf = makeMemoryStorage();
const users = sandboxUserCatalogue();

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
  challenged: users
    .filter(({ challenges }) => challenges.length > 0 && challenges.every(({ kind }) => kind !== 'denial'))
    .map(({ username, challenges }) => ({
      name: username,
      user: { username, password: 'password1' },
      answer: ({ kind }) => answers[kind],
      wrongAnswer:
        challenges[0]!.kind === 'approval'
          ? undefined
          : { answer: 'not the answer', leadsTo: 'sameChallenge' as const },
    })),
  // This day's number since 1970 is odd.
  lagging: { user: { username: 'lags', password: 'password' }, now: new Date('2026-11-22T10:00:00Z') },
  limited: {
    user: { username: 'rate-limited', password: 'password' },
    now: new Date('2026-11-22T10:00:00Z'),
  },
  asked: { user: { username: 'statement-tan', password: 'password' }, answer: () => answers.code },
});

const unreadable = ['no_accounts', 'locked', 'unavailable'];
const testedAbove = ['rate_limited', 'reading_asked'];
// `large` has 100,000 transactions and takes seconds.
const skippedTraits = [...unreadable, ...testedAbove, ...(process.env.TEST_ALL ? [] : ['many_transactions'])];
for (const { username, challenges, traits } of users) {
  const isSkipped = username === 'good' || traits.some((trait) => skippedTraits.includes(trait));
  if (challenges.length === 0 && !isSkipped)
    describeSandbox(`The sandbox connector with user ${username}`, username, { challenged: [] });
}
