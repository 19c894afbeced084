// An ordinary Express application: Knex, plaintext rows, `response.json`. No sealing, validation or credentials. Its
// database, on SQLite or PostgreSQL, contains the same transactions that the service returns.
import express from 'express';
import knexModule from 'knex';

const { knex } = knexModule;
const url = process.env.PLAIN_EXPRESS_URL!;
const db = url.startsWith('postgres')
  ? knex({ client: 'pg', connection: url })
  : knex({
      client: 'better-sqlite3',
      connection: { filename: url.slice('sqlite:'.length) },
      useNullAsDefault: true,
    });

const app = express();

app.get('/accounts/:accountId/transactions', async (request, response) => {
  const limit = Number(request.query.limit);
  const rows = await db('plain_transactions')
    .where({ accountId: request.params.accountId })
    .orderBy([
      { column: 'date', order: 'desc' },
      { column: 'seq', order: 'desc' },
    ])
    .limit(limit + 1)
    .select('id', 'accountId', 'date', 'status', 'transactionRefresh', 'amount', 'description', 'reference');
  const hasMore = rows.length > limit;
  const transactions = rows.slice(0, limit);
  const last = transactions.at(-1);
  const pagination = { hasMore, ...(hasMore && { nextCursor: `${last.date}_${last.id}` }) };
  response.json({ transactions, pagination });
});

app.listen(Number(process.env.PORT), '127.0.0.1');
