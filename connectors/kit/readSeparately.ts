// A `read` for institutions with separate requests for the accounts and for the history of each.
import type { CallContext, Connector, History } from './contract.ts';
import { BankUnreachable } from './errors.ts';

type HistoryRequest = { access: string; accountId: string; since?: string };

/** Creates a connector's `read` from two functions; `history` throws for an unknown account. */
export const readSeparately =
  ({
    accounts,
    history,
  }: {
    accounts: Connector['accounts'];
    history(request: HistoryRequest, context: CallContext): Promise<History>;
  }): Connector['read'] =>
  async (access, { accountIds, since }, context) => {
    const all = await accounts(access, context);
    const requested = accountIds ? all.filter(({ id }) => accountIds.includes(id)) : all;
    if (accountIds && requested.length !== accountIds.length) throw new BankUnreachable('incomplete');
    return {
      accounts: requested,
      history: (accountId) => history({ access, accountId, since }, context),
      end: async () => ({}),
    };
  };
