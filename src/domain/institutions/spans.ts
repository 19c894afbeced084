// Creates a span for each call to an institution, with the institution and the step.
import type { BankTransaction, Connector, History } from '../../../connectors/kit/contract.ts';
import { type CallName, wrapCalls } from '../../../connectors/kit/wrapCalls.ts';
import {
  errorClassOf,
  failSpan,
  inSpan,
  runInSpan,
  type Span,
  startSpan,
} from '../../platform/telemetry/tracing.ts';

const steps: Partial<Record<CallName, string>> = {
  signIn: 'sign in',
  challengeAction: 'challenge action',
  accounts: 'list accounts',
  approveReading: 'approve reading',
  read: 'begin reading',
  balance: 'read balance',
  end: 'end reading',
};

export const withSpans = (connector: Connector, institutionId: string): Connector =>
  wrapCalls(
    connector,
    (name, call, context) => inSpan(optionsOf(steps[name] ?? name, institutionId), () => call(context)),
    (call) => readInSpan(institutionId, call),
  );

const optionsOf = (step: string, institutionId: string) =>
  ({
    name: `bank ${step}`,
    kind: 'client',
    attributes: { 'bank_connection.institution': institutionId, 'bank_connection.step': step },
  }) as const;

/** One span covers a history and all its chunks. */
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
