// A span for each call of an institution, with the institution and the step.
import type { BankTransaction, Connector, History } from '../../../connectors/kit/contract.ts';
import {
  errorClassOf,
  failSpan,
  inSpan,
  runInSpan,
  type Span,
  startSpan,
} from '../../platform/telemetry/tracing.ts';

/** The same connector for one institution. */
export const withSpans = (connector: Connector, institutionId: string): Connector => {
  const inStep = <Result>(step: string, run: () => Promise<Result>): Promise<Result> =>
    inSpan(optionsOf(step, institutionId), run);
  return {
    signIn: (request, context) => inStep('sign in', () => connector.signIn(request, context)),
    answer: (request, context) => inStep('answer', () => connector.answer(request, context)),
    ...(connector.challengeAction && {
      challengeAction: (request, context) =>
        inStep('challenge action', () => connector.challengeAction!(request, context)),
    }),
    accounts: (access, context) => inStep('list accounts', () => connector.accounts(access, context)),
    ...(connector.approveReading && {
      approveReading: (request, context) =>
        inStep('approve reading', () => connector.approveReading!(request, context)),
    }),
    read: async (access, request, context) => {
      const reading = await inStep('begin reading', () => connector.read(access, request, context));
      return {
        accounts: reading.accounts,
        history: (accountId) => readInSpan(institutionId, () => reading.history(accountId)),
        ...(reading.balance && {
          balance: (accountId) => inStep('read balance', () => reading.balance!(accountId)),
        }),
        end: () => inStep('end reading', () => reading.end()),
      };
    },
  };
};

const optionsOf = (step: string, institutionId: string) =>
  ({
    name: `bank ${step}`,
    kind: 'client',
    attributes: { 'bank_connection.institution': institutionId, 'bank_connection.step': step },
  }) as const;

/** One span for a history and all of its chunks. */
const readInSpan = async (institutionId: string, read: () => Promise<History>): Promise<History> => {
  const span = startSpan(optionsOf('read transactions', institutionId));
  try {
    const history = await runInSpan(span, read);
    return { ...history, chunks: endAfter(history.chunks, span) };
  } catch (error) {
    failSpan(span, errorClassOf(error));
    span.end();
    throw error;
  }
};

async function* endAfter(
  chunks: AsyncIterable<BankTransaction[]>,
  span: Span,
): AsyncGenerator<BankTransaction[]> {
  try {
    yield* chunks;
  } catch (error) {
    failSpan(span, errorClassOf(error));
    throw error;
  } finally {
    span.end();
  }
}
