// Runs the conformance suite on the connector for Enable Banking.
import { type Challenge, parseUrl } from '@bank-connection/connector-kit';
import { describeConnector } from '@bank-connection/connector-kit/conformance';
import { afterAll, beforeAll } from 'vitest';
import { institutionId } from '../bank.ts';
import { type FakeAccount, fakeAccount, fakeTransaction } from './fakeProvider/account.ts';
import { fakeBank } from './fakeProvider/bank.ts';
import { type FakeProvider, startFakeProvider } from './fakeProvider/provider.ts';
import { daysBefore, makeModule, noon } from './fixture.ts';

const transactions = Array.from({ length: 40 }, (_, index) =>
  fakeTransaction(`reference ${index}`, daysBefore(80 - 2 * index)),
);
const pending = fakeTransaction('pending', daysBefore(0), { status: 'PDNG' });
// The provider's clock does not move, so the first history is limited like later ones.
const limitsFirstHistory = true;
const accounts: FakeAccount[] = [
  fakeAccount('DE00123456780000000001', [...transactions, pending], { limitsFirstHistory, pageSize: 15 }),
  fakeAccount('DE00123456780000000002', [], { limitsFirstHistory }),
  fakeAccount('DE00123456780000000003', transactions.slice(0, 9), { limitsFirstHistory, references: 'zero' }),
];

let provider: FakeProvider;
beforeAll(async () => {
  const bank = fakeBank('First Bank', { ada: accounts }, { unattendedReadsMax: 1000 });
  const redirectUrls = ['http://127.0.0.1/connect/return'];
  provider = await startFakeProvider({ banks: [bank], now: () => noon, redirectUrls });
});
afterAll(() => provider.close());

const pass = async (challenge: Challenge): Promise<string> => {
  const page = challenge.kind === 'redirect' ? parseUrl(challenge.url) : undefined;
  return (await provider.decide(page!.href, { user: 'ada' })).search.slice(1);
};

describeConnector('Enable Banking', {
  connect: () => makeModule(provider),
  institutionId: institutionId('First Bank', 'DE'),
  ...{ user: {}, pass, unattended: true, wrong: undefined, challenged: [], now: noon, consents: true },
});
