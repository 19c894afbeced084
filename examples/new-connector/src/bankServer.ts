// Harbour Bank, a fictitious bank with a small HTTP API. It returns amounts in cents and transactions in pages, and asks customer
// `noor` a security question on unknown devices.
import { createServer, type IncomingMessage, type Server } from 'node:http';

const customers = [
  { name: 'mia', pin: '2468', question: undefined, answer: '' },
  { name: 'noor', pin: '1357', question: 'The last four digits of your card?', answer: '7788' },
];
const openedOn = '2026-01-05';
const pageSize = 20;
const attemptsMax = 3;

const transactions = Array.from({ length: 45 }, (_, index) => ({
  number: 9000 + index,
  day: new Date(Date.parse(openedOn) + Math.floor(index / 2) * 86_400_000).toISOString().slice(0, 10),
  cents: index % 9 === 0 ? 125_000 : -(index * 137 + 5),
  text: index % 9 === 0 ? 'WAGES HARBOUR MASTER' : `FISH MARKET STALL ${index % 7}`,
  booked: index < 43,
}));

const account = {
  iban: 'HB04000012345678',
  title: 'Anchor Account',
  currency: 'EUR',
  cents: transactions.filter(({ booked }) => booked).reduce((sum, { cents }) => sum + cents, 0),
};

type BankResponse = { status: number; body: unknown };
const emptyResponse = (status: number): BankResponse => ({ status, body: {} });

/** Starts the bank, which keeps its state in memory. */
export const startHarbourBank = async (port = 0): Promise<{ url: string; close(): Promise<void> }> => {
  const tickets = new Map<string, { name: string; attempts: number }>();
  const sessions = new Set<string>();
  const devices = new Map<string, string>();

  const startSession = (name: string): BankResponse => {
    const session = crypto.randomUUID();
    const device = crypto.randomUUID();
    sessions.add(session);
    devices.set(device, name);
    return { status: 200, body: { session, device } };
  };

  const signIn = ({ name, pin, device }: Record<string, unknown>): BankResponse => {
    const customer = customers.find((one) => one.name === name && one.pin === pin);
    if (!customer) return emptyResponse(401);
    if (!customer.question || devices.get(String(device)) === customer.name)
      return startSession(customer.name);
    const ticket = crypto.randomUUID();
    tickets.set(ticket, { name: customer.name, attempts: 0 });
    return { status: 202, body: { ticket, question: customer.question } };
  };

  const answer = (ticketId: string, text: unknown): BankResponse => {
    const ticket = tickets.get(ticketId);
    const customer = customers.find(({ name }) => name === ticket?.name);
    if (!ticket || !customer) return emptyResponse(404);
    if (text === customer.answer) return startSession(customer.name);
    ticket.attempts += 1;
    if (ticket.attempts >= attemptsMax) return emptyResponse(403);
    return {
      status: 202,
      body: { ticket: ticketId, question: customer.question, attemptsLeft: attemptsMax - ticket.attempts },
    };
  };

  const page = (query: URLSearchParams): BankResponse => {
    const from = [query.get('from') ?? openedOn, openedOn].sort().at(-1)!;
    const found = transactions.filter(({ day }) => day >= from);
    const offset = Number(query.get('offset') ?? 0);
    const next = offset + pageSize < found.length ? offset + pageSize : undefined;
    return {
      status: 200,
      body: { from, total: found.length, transactions: found.slice(offset, offset + pageSize), next },
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
  for await (const chunk of request) text += chunk;
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
