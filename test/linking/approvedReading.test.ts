// A bank with a challenge before reading transactions: after the choice of accounts, before an import or a reconnect.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Connector, SignInResult } from '../../connectors/kit/contract.ts';
import { BankRefused, BankUnreachable } from '../../src/platform/values/errors.ts';
import { oneDatabase } from '../support/databases.ts';
import { makeScriptedConnector, northBank, scriptedAccount } from '../support/scriptedConnector.ts';
import {
  driveToEnd,
  link,
  openLinkSession,
  startService,
  type TestLinkSession,
  type TestService,
} from '../support/testService.ts';

type Asked = { access: string; accountIds: readonly string[] };

/** A login's bank: its next response to a request for approval, and the requests. */
type Bank = { asked: Asked[]; next: () => SignInResult; reads: string[] };

describe.each(oneDatabase)('a bank that requires approval before a reading on $name', (database) => {
  let service: TestService;
  let applicationId: string;
  const scripted = makeScriptedConnector();
  const banks = new Map<string, Bank>();
  const loginOf = (text: string): string => text.split(' ')[0]!;
  const bankOf = (text: string): Bank => banks.get(loginOf(text))!;
  const asking = (username: string): SignInResult => ({
    kind: 'challenge',
    challengeState: `${username} asked`,
    challenge: { kind: 'code', label: 'TAN for the statement' },
  });
  beforeAll(async () => {
    const { connector, institutions } = scripted.module;
    const withQuestion: Connector = {
      ...connector,
      approveReading: async ({ access, accountIds }) => {
        const bank = bankOf(access);
        bank.asked.push({ access, accountIds });
        return bank.next();
      },
      answer: async ({ challengeState, answer }) => {
        const username = loginOf(challengeState);
        if (answer === 'gone') throw new BankUnreachable('down');
        if (answer === 'no') throw new BankRefused('denied');
        if (answer !== '1234') return { ...asking(username), retry: { attemptsLeft: 2 } } as SignInResult;
        return { kind: 'signedIn', access: `${username} approved`, deviceToken: `${username} asks` };
      },
      read: (access, request, context) => {
        bankOf(access).reads.push(access);
        return connector.read(loginOf(access), request, context);
      },
    };
    service = await startService({ database, connectors: [{ institutions, connector: withQuestion }] });
    ({ id: applicationId } = await service.addApplication({ environment: 'production' }));
  });
  afterAll(() => service.close());

  const addBank = (username: string, next = (): SignInResult => asking(username)): Bank => {
    const bank: Bank = { asked: [], next, reads: [] };
    banks.set(username, bank);
    scripted.setAccounts(
      username,
      ['first', 'second'].map((id) => scriptedAccount({ id, number: id, name: id })),
    );
    return bank;
  };
  const optionsOf = (username: string) => ({ applicationId, institutionId: northBank, username });
  /** A session whose user has chosen an account and sees the challenge. */
  const openAsked = async (username: string): Promise<TestLinkSession> => {
    const session = await openLinkSession(service, optionsOf(username));
    const view = await driveToEnd(session, { ...optionsOf(username), accounts: ['second'] });
    expect(view).toMatchObject({ state: 'challenge', for: 'reading' });
    return session;
  };
  const answer = (session: TestLinkSession, text: string) => session.step({ kind: 'answer', answer: text });

  test('asks about the chosen accounts once, and the import continues with the approved access', async () => {
    const bank = addBank('ada');
    const session = await openAsked('ada');
    expect(bank.asked).toEqual([{ access: 'ada', accountIds: ['second'] }]);
    expect(bank.reads).toEqual([]);
    expect(await answer(session, '0000')).toMatchObject({ error: { attemptsLeft: 2 }, for: 'reading' });
    await answer(session, '1234');
    expect(await session.waitForImport()).toMatchObject({ state: 'finished', result: { accounts: [{}] } });
    expect(bank.reads).toEqual(['ada approved']);
    expect(bank.asked).toHaveLength(1);
  });

  test('is left by going back to the accounts, and repeated for other accounts', async () => {
    const bank = addBank('bob');
    const session = await openAsked('bob');
    expect(await session.step({ kind: 'back' })).toMatchObject({ state: 'accounts', accounts: [{}, {}] });
    await session.step({ kind: 'selectAccounts', accountIds: ['0', '1'] });
    expect(bank.asked.map(({ accountIds }) => accountIds)).toEqual([['second'], ['first', 'second']]);
    expect(session.view).toMatchObject({ state: 'challenge', for: 'reading' });
  });

  test('covers all accounts in a reconnect, where the session goes back to the sign-in', async () => {
    const bank = addBank('cyd');
    const { connectionId } = await link(service, { ...optionsOf('cyd'), answers: ['1234'] });
    const session = await openLinkSession(service, { ...optionsOf('cyd'), connectionId });
    const view = await driveToEnd(session, optionsOf('cyd'));
    expect(view).toMatchObject({ state: 'challenge', for: 'reading', reconnect: true });
    expect(bank.asked.at(-1)!.accountIds).toEqual(['first', 'second']);
    expect(await session.step({ kind: 'back' })).toMatchObject({ state: 'credentials' });
    expect(await driveToEnd(session, { ...optionsOf('cyd'), answers: ['1234'] })).toMatchObject({
      ...{ state: 'finished', result: { connectionId } },
    });
  });

  test.each([
    ['cannot be reached', () => Promise.reject(new BankUnreachable('down')), 'dee'],
    ['asks nothing', () => ({ kind: 'signedIn', access: 'eve approved' }), 'eve approved'],
  ])('that %s keeps nobody from linking', async (_, next, access) => {
    const username = loginOf(access);
    const bank = addBank(username, next as () => SignInResult);
    await link(service, optionsOf(username));
    expect(bank.reads).toEqual([access]);
  });

  test('whose conversation ends during the wait for the answer is read without it', async () => {
    const bank = addBank('fay');
    await answer(await openAsked('fay'), 'gone');
    await vi.waitUntil(() => bank.reads.length > 0, { timeout: 20_000 });
    expect(bank.reads).toEqual(['fay']);
  });

  test('that the user refuses ends the link, and a question counts like a sign-in', async () => {
    addBank('gil');
    const session = await openAsked('gil');
    expect(await answer(session, 'no')).toMatchObject({ state: 'failed', reason: 'denied' });

    const limited = await startService({
      ...{ database, systemTime: true, limits: { linkSignInsPerLogin: 2 } },
    });
    try {
      const again = await openLinkSession(limited);
      await driveToEnd(again, { username: 'statement-tan' });
      for (let question = 0; question < 2; question++) {
        await again.step({ kind: 'back' });
        const accountIds = ['0'];
        if (question === 0) await again.step({ kind: 'selectAccounts', accountIds });
        else await expect(again.step({ kind: 'selectAccounts', accountIds })).rejects.toThrow('rate_limited');
      }
    } finally {
      await limited.close();
    }
  });
});
