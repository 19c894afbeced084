// Wraps each call of a connector in a function that adds something, such as a time limit, a span or a pause.
import type { BankTransaction, CallContext, Connector, History } from './contract.ts';

export type CallName = keyof Connector | 'history' | 'chunk' | 'balance' | 'end';

/** Makes a call. A reading and its calls use the context with which the reading began. */
export type AroundCall = <Result>(
  name: CallName,
  call: (context: CallContext) => Promise<Result>,
  context: CallContext,
) => Promise<Result>;

/** The same connector. `aroundHistory` wraps a whole history in one call instead of one for the history and each of its chunks. */
export const wrapCalls = (
  connector: Connector,
  around: AroundCall,
  aroundHistory?: (call: () => Promise<History>) => Promise<History>,
): Connector => {
  const wrap =
    <Request, Result>(
      name: CallName,
      method: (request: Request, context: CallContext) => Promise<Result>,
    ): typeof method =>
    (request, context) =>
      around(name, (inner) => method.call(connector, request, inner), context);
  const { challengeAction, approveReading, revoke } = connector;
  return {
    signIn: wrap('signIn', connector.signIn),
    answer: wrap('answer', connector.answer),
    ...(challengeAction && { challengeAction: wrap('challengeAction', challengeAction) }),
    accounts: wrap('accounts', connector.accounts),
    ...(approveReading && { approveReading: wrap('approveReading', approveReading) }),
    ...(revoke && { revoke: wrap('revoke', revoke) }),
    read: async (access, request, context) => {
      // The context is that of the whole conversation, which outlives this call.
      const reading = await around('read', () => connector.read(access, request, context), context);
      const wrapHistory = async (call: () => Promise<History>): Promise<History> => {
        const history = await around('history', call, context);
        return { ...history, chunks: wrapChunks(history.chunks, around, context) };
      };
      return {
        accounts: reading.accounts,
        history: (accountId) => (aroundHistory ?? wrapHistory)(() => reading.history(accountId)),
        ...(reading.balance && {
          balance: (accountId) => around('balance', () => reading.balance!(accountId), context),
        }),
        end: () => around('end', () => reading.end(), context),
      };
    },
  };
};

async function* wrapChunks(
  chunks: AsyncIterable<BankTransaction[]>,
  around: AroundCall,
  context: CallContext,
): AsyncGenerator<BankTransaction[]> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    while (true) {
      const next = await around('chunk', () => iterator.next(), context);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a hanging connector would hang here as well.
    void iterator.return?.(undefined)?.catch(() => {});
  }
}
