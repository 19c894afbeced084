// Harbour Bank, which does not exist: a small HTTP interface of the kind that banks offer. It counts money in
// cents, pages its entries, and asks customer `noor` a question on devices that it does not know.
import { createServer, type IncomingMessage, type Server } from 'node:http';

const customers = [
  { name: 'mia', pin: '2468', question: undefined, answer: '' },
  { name: 'noor', pin: '1357', question: 'The last four digits of your card?', answer: '7788' },
];
const opened = '2026-01-05';
const pageSize = 20;
const attemptsMax = 3;

const transactions = Array.from({ length: 45 }, (_, at) => ({
  number: 9000 + at,
  day: new Date(Date.parse(opened) + Math.floor(at / 2) * 86_400_000).toISOString().slice(0, 10),
  cents: at % 9 === 0 ? 125_000 : -(at * 137 + 5),
  text: at % 9 === 0 ? 'WAGES HARBOUR MASTER' : `FISH MARKET STALL ${at % 7}`,
  booked: at < 43,
}));

const account = {
  iban: 'HB04000012345678',
  title: 'Anchor Account',
  currency: 'EUR',
  cents: transactions.filter(({ booked }) => booked).reduce((sum, { cents }) => sum + cents, 0),
};

type BankResponse = { status: number; body: unknown };
const emptyResponse = (status: number): BankResponse => ({ status, body: {} });

/** Starts the bank; it forgets everything when it stops. */
export const startHarbourBank = async (port = 0): Promise<{ url: string; close(): Promise<void> }> => {
  const tickets = new Map<string, { name: string; tries: number }>();
  const sessions = new Set<string>();
  const devices = new Map<string, string>();

  const letIn = (name: string): BankResponse => {
    const session = crypto.randomUUID();
    const device = crypto.randomUUID();
    sessions.add(session);
    devices.set(device, name);
    return { status: 200, body: { session, device } };
  };

  const signIn = ({ name, pin, device }: Record<string, unknown>): BankResponse => {
    const customer = customers.find((one) => one.name === name && one.pin === pin);
    if (!customer) return emptyResponse(401);
    if (!customer.question || devices.get(String(device)) === customer.name) return letIn(customer.name);
    const ticket = crypto.randomUUID();
    tickets.set(ticket, { name: customer.name, tries: 0 });
    return { status: 202, body: { ticket, question: customer.question } };
  };

  const answer = (ticket: string, given: unknown): BankResponse => {
    const asked = tickets.get(ticket);
    const customer = customers.find(({ name }) => name === asked?.name);
    if (!asked || !customer) return emptyResponse(404);
    if (given === customer.answer) return letIn(customer.name);
    asked.tries += 1;
    if (asked.tries >= attemptsMax) return emptyResponse(403);
    return {
      status: 202,
      body: { ticket, question: customer.question, attemptsLeft: attemptsMax - asked.tries },
    };
  };

  const page = (query: URLSearchParams): BankResponse => {
    const from = [query.get('from') ?? opened, opened].sort().at(-1)!;
    const found = transactions.filter(({ day }) => day >= from);
    const at = Number(query.get('at') ?? 0);
    const next = at + pageSize < found.length ? at + pageSize : undefined;
    return {
      status: 200,
      body: { from, total: found.length, transactions: found.slice(at, at + pageSize), next },
    };
  };

  const handle = async (request: IncomingMessage): Promise<BankResponse> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bank');
    const parts = pathname.slice(1).split('/').map(decodeURIComponent);
    if (request.method === 'POST' && parts[0] === 'sign-in') return signIn(await read(request));
    if (request.method === 'POST' && parts[0] === 'answers')
      return answer(parts[1] ?? '', (await read(request)).answer);
    if (!sessions.has(request.headers.authorization?.slice('Bearer '.length) ?? ''))
      return emptyResponse(401);
    if (parts[0] === 'accounts' && parts.length === 1) return { status: 200, body: { accounts: [account] } };
    if (parts[0] === 'accounts' && parts[1] === account.iban) return page(searchParams);
    return emptyResponse(404);
  };

  const server = createServer(async (request, response) => {
    const { status, body } = await handle(request).catch(() => emptyResponse(400));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  return { url: await listen(server, port), close: () => close(server) };
};

const read = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  let text = '';
  for await (const part of request) text += part;
  return JSON.parse(text);
};

const listen = (server: Server, port: number): Promise<string> =>
  new Promise((resolve) => {
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`);
    });
  });

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
