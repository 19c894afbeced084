// The span of a statement or a transaction, with nothing of the statement. The statements of a transaction have no spans of their
// own, and outside of another span there is none.
import { inChildSpan } from '../tracing.ts';

type Dialect = 'sqlite' | 'postgres';

/** As the semantic conventions name them. */
const systems = { sqlite: 'sqlite', postgres: 'postgresql' } as const;

const optionsOf = (dialect: Dialect, kind: 'statement' | 'transaction') =>
  ({
    name: `${systems[dialect]} ${kind}`,
    kind: 'client',
    attributes: { 'db.system.name': systems[dialect] },
  }) as const;

const options = {
  sqlite: { statement: optionsOf('sqlite', 'statement'), transaction: optionsOf('sqlite', 'transaction') },
  postgres: {
    statement: optionsOf('postgres', 'statement'),
    transaction: optionsOf('postgres', 'transaction'),
  },
};

export const inTransactionSpan = <Result>(dialect: Dialect, run: () => Promise<Result>): Promise<Result> =>
  inChildSpan(options[dialect].transaction, run);

/** Knex sets the id while a transaction has the connection. */
export const inStatementSpan = <Result>(
  dialect: Dialect,
  connection: { __knexTxId?: string },
  run: () => Promise<Result>,
): Promise<Result> =>
  connection.__knexTxId === undefined ? inChildSpan(options[dialect].statement, run) : run();
