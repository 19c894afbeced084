// Runs the conformance suite on the SimpleFIN connector, with servers of both versions, with setup tokens and with an access URL.
import type { Credentials } from '@bank-connection/connector-kit';
import { type ConnectorOptions, describeConnector } from '@bank-connection/connector-kit/conformance';
import { afterAll, beforeAll } from 'vitest';
import { type FakeServer, startFakeServer } from './fakeServer.ts';
import {
  daysBefore,
  fakeAccount,
  fakeTransaction,
  institutionId,
  makeModule,
  noonOf,
  now,
} from './fixture.ts';

let server: FakeServer;
/** Filled in by `beforeAll`; the suite needs the object before that. */
const accessUrl: Credentials = {};
beforeAll(async () => {
  server = await startFakeServer();
  const transactions = Array.from({ length: 40 }, (_, index) =>
    fakeTransaction(`T${index}`, daysBefore(index * 6)),
  );
  const pending = fakeTransaction('P1', daysBefore(1), {
    ...{ posted: 0, transacted_at: fakeTransaction('', daysBefore(1)).posted, pending: true },
  });
  server.connections = [
    {
      id: 'CON-1',
      bank: 'First Bank',
      accounts: [
        fakeAccount('4821', [pending, ...transactions]),
        fakeAccount('0093', transactions.slice(0, 9)),
      ],
    },
    {
      id: 'CON-2',
      bank: 'Second Bank',
      accounts: [
        fakeAccount('empty'),
        fakeAccount('old', transactions.slice(30), { 'balance-date': noonOf(daysBefore(30)) }),
      ],
    },
  ];
  accessUrl.token = server.makeAccessUrl();
});
afterAll(() => server.close());

const describeSimplefin = (
  name: string,
  version: 1 | 2,
  options: Pick<ConnectorOptions, 'user' | 'wrong'>,
): void =>
  describeConnector(name, {
    connect: () => {
      server.version = version;
      return makeModule();
    },
    ...{ institutionId, unattended: true, challenged: [], now },
    ...options,
  });

const newSetupToken = async (): Promise<Credentials> => ({ token: server.makeSetupToken() });

describeSimplefin('SimpleFIN with setup tokens and version 2', 2, {
  user: newSetupToken,
  wrong: { token: 'no setup token' },
});

describeSimplefin('SimpleFIN with setup tokens and version 1', 1, {
  user: newSetupToken,
  wrong: { token: 'no setup token' },
});

describeSimplefin('SimpleFIN with an access URL', 2, {
  user: accessUrl,
  wrong: { token: 'https://user@simplefin.example/simplefin' },
});
