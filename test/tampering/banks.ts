// The two banks of the tampering tests. Each records what it receives; the data of a login contains the end user's name.
import type { Connector } from '../../connectors/kit/contract.ts';
import type { ConnectorModule } from '../../connectors/kit/defineConnector.ts';
import { addMilliseconds, days, toIsoDate } from '../../src/platform/values/clock.ts';
import { BankUnreachable } from '../../src/platform/values/errors.ts';
import {
  makeScriptedConnector,
  northBank,
  type ScriptedConnector,
  scriptedAccount,
  scriptedTransaction,
  southBank,
} from '../support/scriptedConnector.ts';

/** The texts that a bank received, each of which must name the bank. */
export type Received = { bank: string; text: string };
export type Banks = {
  modules: ConnectorModule[];
  received: Received[];
  each: Record<string, ScriptedConnector>;
  /** Sets the accounts of all logins. Each later state has different transactions and balances. */
  setState(state: 0 | 1 | 2): void;
  /** From now on, this bank does not respond for cards; undefined makes all banks respond. */
  setLagging(bank: string | undefined): void;
  /** Holds the histories of a login at a bank after their first chunk, until `release`. */
  holdChunks(bank: string, username: string): void;
  release(): void;
};

const bankIds = [northBank, southBank];
const names = ['adelheid', 'benedikt', 'cleopatra', 'dorothea'];

/** The username of an end user at a bank, which names both. */
export const loginAt = (name: string, bank: string): string => `${name}@${bank}`;

export const makeBanks = (now: Date): Banks => {
  const received: Received[] = [];
  const each = Object.fromEntries(bankIds.map((bank) => [bank, makeScriptedConnector({ chunkSize: 1 })]));
  let lagging: string | undefined;
  const modules = bankIds.map((bank) => {
    const { institutions, connector } = each[bank]!.module;
    const lags = (accountId: string): boolean => lagging === bank && accountId.endsWith('-card');
    return {
      institutions: institutions.filter(({ id }) => id === bank),
      connector: recording(withoutAnswerFor(connector, lags), (text) => received.push({ bank, text })),
    };
  });
  const setState: Banks['setState'] = (state) => {
    for (const bank of bankIds) {
      for (const name of names) {
        each[bank]!.setAccounts(loginAt(name, bank), accountsOf(name, bank, { state, now }));
      }
    }
  };
  setState(0);
  const holds: (() => void)[] = [];
  return {
    ...{ modules, received, each, setState },
    setLagging: (bank) => {
      lagging = bank;
    },
    holdChunks: (bank, username) => void holds.push(each[bank]!.hold(username, 'chunk')),
    release: () => {
      for (const release of holds.splice(0)) release();
    },
  };
};

/** The connector, whose bank does not respond for some accounts. */
const withoutAnswerFor = (connector: Connector, lags: (accountId: string) => boolean): Connector => ({
  ...connector,
  read: async (access, request, call) => {
    const reading = await connector.read(access, request, call);
    return {
      ...reading,
      history: async (accountId) => {
        if (lags(accountId)) throw new BankUnreachable('down');
        return reading.history(accountId);
      },
    };
  },
});

const recording = (connector: Connector, receive: (text: string) => void): Connector => ({
  signIn: (request, call) => {
    const { username, password: typed } = request.credentials;
    receive(`${username} ${typed} ${request.deviceToken ?? ''}`);
    return connector.signIn(request, call);
  },
  answer: (request, call) => {
    receive(`${request.challengeState} ${request.answer}`);
    return connector.answer(request, call);
  },
  accounts: (access, call) => {
    receive(access);
    return connector.accounts(access, call);
  },
  read: (access, request, call) => {
    receive(access);
    return connector.read(access, request, call);
  },
});

/** Each state posts the pending transaction of the previous one, and adds a new one. */
const accountsOf = (name: string, bank: string, { state, now }: { state: number; now: Date }) => {
  const date = (daysAgo: number): string => toIsoDate(addMilliseconds(now, -days(daysAgo)));
  const text = (what: string) => ({ description: `${name} ${what}`, reference: `reference of ${name}` });
  const old = [3, 2].map((daysAgo) =>
    scriptedTransaction({ ...text(`rent ${daysAgo}`), id: `rent-${daysAgo}`, date: date(daysAgo) }),
  );
  const added = Array.from({ length: state + 1 }, (_, at) =>
    scriptedTransaction({
      ...text(`purchase ${at}`),
      amount: `-${at + 1}.50`,
      id: at < state ? `posted-${at}` : undefined,
      status: at < state ? 'posted' : 'pending',
      date: date(1),
    }),
  );
  return [
    scriptedAccount({
      id: `${name}-main`,
      name: `Main of ${name}`,
      number: `DE-${name}-${bank}-1`,
      balance: { current: `${state + 100}.00` },
      // Newest first, for the rows that a stopped refresh stages.
      transactions: [...added.toReversed(), ...old],
    }),
    scriptedAccount({
      id: `${name}-card`,
      name: `Card of ${name}`,
      type: 'credit',
      number: `DE-${name}-${bank}-2`,
      transactions: [
        scriptedTransaction({ ...text('card 1'), id: 'c1', date: date(2) }),
        scriptedTransaction({ ...text('card 2'), id: 'c2', date: date(1) }),
      ],
    }),
  ];
};
