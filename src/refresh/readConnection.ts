// One conversation with a bank: it is begun, used and ended, and what the bank renewed meanwhile is kept.
import type { CallContext, Connector, Reading, Renewal } from '../../connectors/kit/contract.ts';

export type ReadRequest = {
  connector: Connector;
  access: string;
  /** The bank's ids of the accounts to read; if missing, all. */
  accountIds?: readonly string[];
  /** YYYY-MM-DD */
  since?: string;
  call: CallContext;
  /** Keeps what the bank renewed in a conversation that failed. */
  keepRenewal(renewal: Renewal): Promise<void>;
};

/**
 * Uses a reading, and returns what the bank renewed with the result. Throws what `use` throws, after the end of the
 * conversation.
 */
export const readConnection = async <Result>(
  { connector, access, accountIds, since, call, keepRenewal }: ReadRequest,
  use: (reading: Reading) => Promise<Result>,
): Promise<Result & { renewal: Renewal }> => {
  const reading = await connector.read(access, { accountIds, since }, call);
  let result: Result;
  try {
    result = await use(reading);
  } catch (error) {
    const renewal = await reading.end().catch((): Renewal => ({}));
    if (renewal.access !== undefined || renewal.deviceToken !== undefined) await keepRenewal(renewal);
    throw error;
  }
  return { ...result, renewal: await reading.end() };
};
