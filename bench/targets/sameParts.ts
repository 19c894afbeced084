// The service that a team would write with the same parts but without sealing: Express, express-openapi-validator on our
// openapi.yaml, Knex, pino, an API key that is looked up, and a scoped token that is a JWT. Each transaction is a plain row.
// The headline figures compare with this service, which is not tuned.
import { createHash, createSecretKey } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import express, { type NextFunction, type Request, type Response } from 'express';
import { middleware as openApiValidator } from 'express-openapi-validator';
import { jwtVerify } from 'jose';
import knexModule from 'knex';
import { pino } from 'pino';

const { knex } = knexModule;
const url = process.env.SAME_PARTS_URL!;
const tokenKey = createSecretKey(Buffer.from(process.env.SAME_PARTS_TOKEN_KEY!, 'base64'));
const db = url.startsWith('postgres')
  ? knex({ client: 'pg', connection: url })
  : knex({
      client: 'better-sqlite3',
      connection: { filename: url.slice('sqlite:'.length) },
      useNullAsDefault: true,
    });
const log = pino(pino.destination({ dest: 1, sync: false }));

const httpError = (status: number, message: string): Error => Object.assign(new Error(message), { status });

type Principal = { applicationId: string; endUserId: string };
const principalOf = (response: Response): Principal => response.locals.principal;

const authenticate = async (request: Request, response: Response, next: NextFunction) => {
  const [, apiKey] = /^Bearer (.+)$/.exec(request.get('Authorization') ?? '') ?? [];
  if (!apiKey) throw httpError(401, 'The API key is missing.');
  const hash = createHash('sha256').update(apiKey).digest('hex');
  const key = await db('plain_api_keys').where({ hash }).whereNull('revokedAt').first('applicationId');
  if (!key) throw httpError(401, 'The API key is not valid.');
  const token = request.get('X-Scoped-Token');
  if (!token) throw httpError(403, 'The scoped token is missing.');
  const { payload } = await jwtVerify(token, tokenKey).catch(() => {
    throw httpError(403, 'The scoped token is not valid.');
  });
  const stored = await db('plain_tokens').where({ id: payload.jti }).whereNull('revokedAt').first();
  if (!stored || stored.applicationId !== key.applicationId)
    throw httpError(403, 'The scoped token is not valid.');
  response.locals.principal = { applicationId: key.applicationId, endUserId: stored.endUserId };
  next();
};

const findAccount = async (request: Request, response: Response) => {
  const account = await db('plain_accounts')
    .where({ id: request.params.accountId, endUserId: principalOf(response).endUserId })
    .first();
  if (!account) throw httpError(404, 'The account does not exist.');
  return account;
};

const columns = [
  ...['id', 'accountId', 'date', 'status', 'transactionRefresh'],
  ...['amount', 'description', 'reference'],
];

const app = express();
app.disable('x-powered-by');
app.use((request, response, next) => {
  const started = performance.now();
  response.on('finish', () =>
    log.info(
      {
        method: request.method,
        url: request.path,
        status: response.statusCode,
        ms: performance.now() - started,
      },
      'request',
    ),
  );
  next();
});
app.use(
  openApiValidator({
    apiSpec: fileURLToPath(new URL('../../openapi.yaml', import.meta.url)),
    validateRequests: true,
    validateResponses: false,
    validateSecurity: false,
  }),
);
app.use(authenticate);

app.get('/connections', async (_request, response) => {
  const { endUserId } = principalOf(response);
  const rows = await db('plain_connections').where({ endUserId }).orderBy('createdAt');
  response.json({
    connections: rows.map(({ id, institutionId, institutionName, status, createdAt, refreshedAt }) => ({
      ...{ id, institution: { id: institutionId, name: institutionName }, status, createdAt, refreshedAt },
    })),
  });
});

app.get('/accounts/:accountId', async (request, response) => {
  const { endUserId: _, balance, ...account } = await findAccount(request, response);
  response.json({ account: { ...account, balance: JSON.parse(balance) } });
});

type Position = { date: string; seq: number };
const encodeCursor = ({ date, seq }: Position): string =>
  Buffer.from(JSON.stringify({ date, seq })).toString('base64url');

app.get('/accounts/:accountId/transactions', async (request, response) => {
  const account = await findAccount(request, response);
  const {
    limit,
    cursor,
    date = {},
  } = request.query as unknown as {
    limit: number;
    cursor?: string;
    date?: { gte?: string; gt?: string; lte?: string; lt?: string };
  };
  const query = db('plain_transactions').where({ accountId: account.id });
  if (date.gte) query.where('date', '>=', date.gte);
  if (date.gt) query.where('date', '>', date.gt);
  if (date.lte) query.where('date', '<=', date.lte);
  if (date.lt) query.where('date', '<', date.lt);
  if (cursor) {
    const after: Position = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    query.whereRaw('(date, seq) < (?, ?)', [after.date, after.seq]);
  }
  const rows = await query
    .orderBy([
      { column: 'date', order: 'desc' },
      { column: 'seq', order: 'desc' },
    ])
    .limit(limit + 1)
    .select(...columns, 'seq');
  const hasMore = rows.length > limit;
  const page = rows.slice(0, limit);
  const transactions = page.map(({ seq: _, ...transaction }) => transaction);
  const pagination = { hasMore, ...(hasMore && { nextCursor: encodeCursor(page.at(-1)) }) };
  response.json({ transactions, pagination });
});

app.get('/accounts/:accountId/transactions/:transactionId', async (request, response) => {
  const account = await findAccount(request, response);
  const transaction = await db('plain_transactions')
    .where({ accountId: account.id, id: request.params.transactionId })
    .first(columns);
  if (!transaction) throw httpError(404, 'The transaction does not exist.');
  response.json({ transaction });
});

app.use((error: Error & { status?: number }, _request: Request, response: Response, _next: NextFunction) => {
  const status = error.status ?? 500;
  if (status >= 500) log.error(error);
  response.status(status).type('application/problem+json').json({ status, title: error.message });
});

app.listen(Number(process.env.PORT), '127.0.0.1');
