// A FinTS server on loopback that responds with recorded segments, or composed ones if no recording exists. It strictly checks
// signatures, system ids, message numbers, lengths in bytes and TANs, and wants another TAN after 90 days. The user's name
// selects the bank's behavior.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BankResponse, elementsOf, parseMessage, partsOf, type Segment, toText } from '../message.ts';
import { type BankUser, type Profile, profiles, type Question, wantsStatementTan } from './profiles.ts';
import { said } from './segments.ts';
import { bankUsers, rightTan, tanQuestion } from './users.ts';

/** A message received by the bank. */
export type Received = {
  bank: string;
  /** The ids of its orders. */
  orders: string[];
  /** The orders as sent. */
  segments: string[];
  userId: string;
  pin: string;
  tan: string | undefined;
  method: string;
};

/** Replaces the usual response with segments or an HTTP response. `also` adds segments to the usual response. */
export type Intercepted =
  | { segments: string }
  | { also: string }
  | { status: number; location?: string }
  | { body: string }
  | 'close'
  | 'hang';

export type TestBank = {
  /** The URL of a profile: dkb, dkb-camt, consors or ing. */
  url(name: string): string;
  /** The bank's day (YYYY-MM-DD). */
  today: string;
  received: Received[];
  /** Replaces the response to a message; undefined keeps it. */
  intercept: (message: Received) => Intercepted | undefined;
  /** The day of the last TAN, by the user's system. */
  approvals: Map<string, string>;
  /** Ends all dialogs, as a bank does after a few minutes. */
  endDialogs(): void;
  close(): Promise<void>;
};

export const productId = '123456789ABCDEF0123456789';

/** A TAN that the bank waits for. Without an `order`, it is for the sign-in. */
type Pending = { reference: string; polls: number; order: Segment | undefined };

type OpenDialog = {
  profile: Profile;
  user: BankUser;
  userId: string;
  systemId: string;
  messageNumber: number;
  isSignedIn: boolean;
  isApproved: boolean;
  pending: Pending | undefined;
};

export const startTestBank = async (): Promise<TestBank> => {
  const dialogs = new Map<string, OpenDialog>();
  const systems = new Map<string, string>();
  const httpServer = createServer((request, response) => {
    respond(request, response).catch((error: Error) => response.writeHead(500).end(error.stack));
  });
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const bytes = Buffer.from(Buffer.concat(chunks).toString('latin1'), 'base64');
    const bank = request.url!.slice(1);
    const message = parseMessage(bytes);
    const received = toReceived(bank, message);
    server.received.push(received);
    const intercepted = server.intercept(received);
    const dialog = dialogs.get(message.dialogId);
    const name = message.dialogId === '0' ? `DIALOG${crypto.randomUUID().slice(0, 20)}` : message.dialogId;
    const answerAsUsual = (): string =>
      answer({ server, dialogs, systems }, { name, bank, message, received, bytes });
    if (intercepted === undefined) {
      const wrap = find(message, 'HNSHK') ? toMessage : toPlainMessage;
      return sendHttp(response, { body: wrap(name, answerAsUsual()) });
    }
    if (typeof intercepted === 'object' && 'also' in intercepted)
      return sendHttp(response, { body: toMessage(name, answerAsUsual() + intercepted.also) });
    // The message counts as received, regardless of the response.
    if (dialog) dialog.messageNumber += 1;
    if (typeof intercepted === 'object' && 'segments' in intercepted)
      return sendHttp(response, { body: toMessage(name, intercepted.segments) });
    sendHttp(response, intercepted);
  };
  await new Promise<void>((resolve) => httpServer.listen(0, '127.0.0.1', resolve));
  const server: TestBank = {
    url: (name) => `http://127.0.0.1:${(httpServer.address() as AddressInfo).port}/${name}`,
    today: '2019-09-22',
    received: [],
    intercept: () => undefined,
    approvals: new Map(),
    endDialogs: () => dialogs.clear(),
    close: async () => {
      httpServer.closeAllConnections();
      await new Promise((resolve) => httpServer.close(resolve));
    },
  };
  return server;
};

type HttpAnswer = Exclude<Intercepted, { segments: string } | { also: string }>;

const sendHttp = (response: ServerResponse, answer: HttpAnswer): void => {
  if (answer === 'hang') return;
  if (answer === 'close') {
    response.destroy();
    return;
  }
  const location = 'status' in answer && answer.location !== undefined && { Location: answer.location };
  response.writeHead('status' in answer ? answer.status : 200, { 'Content-Type': 'text/plain', ...location });
  response.end('body' in answer ? answer.body : '');
};

/** Wraps segments in a message in base64, split into lines as some banks do. */
const toMessage = (dialogId: string, segments: string): string =>
  toPlainMessage(
    dialogId,
    `HNVSK:998:3+PIN:1+998+1+2::0+1+2:2:13:@8@00000000:6:1+280:BANK:user:V:0:0+0'HNVSD:999:1+@${segments.length}@${segments}'`,
  );

const toPlainMessage = (dialogId: string, segments: string): string => {
  const text = `HNHBK:1:3+000000000000+300+${dialogId}+1+${dialogId}:1'${segments}HNHBS:9:1+1'`;
  return Buffer.from(text, 'latin1').toString('base64').replace(/.{76}/g, '$&\r\n');
};

const find = ({ segments }: BankResponse, id: string): Segment | undefined =>
  segments.find((segment) => segment.id === id);

const envelope = ['HNHBK', 'HNVSK', 'HNSHK', 'HNSHA', 'HNHBS'];

const toReceived = (bank: string, message: BankResponse): Received => {
  const orders = message.segments.filter(({ id }) => !envelope.includes(id));
  const [signature, secret] = ['HNSHK', 'HNSHA']
    .map((id) => find(message, id))
    .map((one) => one && elementsOf(one));
  const [pin = '', tan] = partsOf(secret?.[2]).map(toText);
  const method = signature?.[1] ?? '';
  const userId = toText(partsOf(signature?.at(-1))[2]);
  const segments = orders.map(({ text }) => text);
  return { bank, orders: orders.map(({ id }) => id), segments, userId, pin, tan, method };
};

type State = { server: TestBank; dialogs: Map<string, OpenDialog>; systems: Map<string, string> };
type Request = { name: string; bank: string; message: BankResponse; received: Received; bytes: Buffer };

const answer = (state: State, request: Request): string => {
  const { message, received, bytes, bank } = request;
  const [length, , , number] = elementsOf(find(message, 'HNHBK')!);
  if (Number(length) !== bytes.length) return said.orderFailed.text;
  const profile = profiles[bank]!;
  if (!find(message, 'HNSHK')) return answerAnonymous(message, profile);
  const user = bankUsers[received.userId];
  if (user?.refusal !== undefined) return user.refusal;
  if (user?.pin !== received.pin) return profile.wrongPin;
  if (message.dialogId === '0') return open(state, request, { profile, user });
  const dialog = state.dialogs.get(message.dialogId);
  if (!dialog || Number(number) !== dialog.messageNumber + 1) return said.unknownDialog.text;
  dialog.messageNumber += 1;
  return answerOrder(state, request, dialog);
};

/** Responds to an unsigned message. Its segments must be numbered consecutively and must not contain a user. */
const answerAnonymous = ({ segments }: BankResponse, profile: Profile): string => {
  const isNumbered = segments.every(({ text }, index) => Number(text.split(':')[1]) === index + 1);
  const [, first, second] = segments;
  if (isNumbered && first?.id === 'HKEND') return said.dkbEnd.text;
  const isAnonymous =
    first?.text.endsWith('+9999999999+0+0') && second?.text === `HKVVB:3:3+0+0+0+${productId}+1.0`;
  return isNumbered && isAnonymous ? profile.anonymous : said.orderFailed.text;
};

const open = (
  { server, dialogs, systems }: State,
  { name, message, received }: Request,
  { profile, user }: { profile: Profile; user: BankUser },
): string => {
  const { orders, userId, method } = received;
  if (orders[0] !== 'HKIDN' || orders[1] !== 'HKVVB') return said.orderFailed.text;
  if (elementsOf(find(message, 'HKVVB')!)[3] !== productId) return said.orderFailed.text;
  const methods = user.methods ?? profile.methods;
  const dialog: OpenDialog = {
    ...{ profile, user, userId, messageNumber: 1, isSignedIn: false, isApproved: false, pending: undefined },
    systemId: toText(elementsOf(find(message, 'HKIDN')!)[2]),
  };
  dialogs.set(name, dialog);
  if (orders.includes('HKSYN')) {
    const systemId = `SYSTEM${crypto.randomUUID().slice(0, 20)}`;
    systems.set(systemId, userId);
    return profile.synchronized
      .replace(/FAKEKUNDENSYSTEMID\w+/, systemId)
      .replace(/(3920::[^:]*)(:\d+)+/, (_, text) => [text, ...methods].join(':'));
  }
  const isOwn = [userId, userId === 'renamed' && 'free'].includes(systems.get(dialog.systemId)!);
  if (!isOwn) return said.unknownDialog.text;
  const [, about] = find(message, 'HKTAN') ? elementsOf(find(message, 'HKTAN')!) : [];
  if (about === undefined && profile.methods.length > 0) return said.strongAuthentication.text;
  if (about === 'HKTAB') {
    dialog.isSignedIn = true;
    return said.dkbMediaDialog.text;
  }
  if (!methods.includes(Number(method)) && profile.methods.length > 0) return said.strongAuthentication.text;
  const approvedOn = server.approvals.get(dialog.systemId);
  const isKnown = approvedOn !== undefined && daysBetween(approvedOn, server.today) <= 90;
  if (user.asks === undefined || (isKnown && !user.asksAlways)) {
    dialog.isSignedIn = true;
    return profile.signedIn;
  }
  return askForTan(dialog, user.asks);
};

const askForTan = (dialog: OpenDialog, question: Question, order?: Segment): string => {
  const reference = `REF${crypto.randomUUID().slice(0, 20)}`;
  dialog.pending = { reference, polls: 0, order };
  return tanQuestion(question, reference, dialog.profile);
};

const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000;

const answerOrder = (state: State, { message, received, name }: Request, dialog: OpenDialog): string => {
  const { server } = state;
  const [id] = received.orders;
  if (id === 'HKTAN') return answerTan(state, { message, received, name }, dialog);
  if (id === 'HKEND') {
    state.dialogs.delete(name);
    return said.dkbEnd.text;
  }
  if (!dialog.isSignedIn) return said.orderFailed.text;
  const { profile, user, isApproved } = dialog;
  const order = find(message, id!)!;
  const context = { user, today: server.today, isApproved };
  if (wantsStatementTan(order, context)) return askForTan(dialog, user.asksForStatement ?? 'push', order);
  return profile.answer(order, context);
};

const answerTan = (
  { server, dialogs }: State,
  { message, received, name }: Pick<Request, 'message' | 'received' | 'name'>,
  dialog: OpenDialog,
): string => {
  const [step, , , , reference] = elementsOf(find(message, 'HKTAN')!);
  const { pending, user, profile } = dialog;
  if (!pending || toText(reference) !== pending.reference) return said.orderFailed.text;
  pending.polls += 1;
  if (step === 'S') {
    if (user.denies && pending.polls > 1) return said.approvalDenied.text;
    if (pending.polls < 2 || user.neverApproves) return said.approvalPending.text;
  } else if (received.tan !== rightTan) {
    const isLast = user.wrongTanEnds || pending.polls === 3;
    if (isLast) dialogs.delete(name);
    return isLast ? said.wrongTanEnds.text : said.wrongTan.text;
  }
  const { order } = pending;
  Object.assign(dialog, { pending: undefined, isSignedIn: true, isApproved: true });
  if (order) return profile.answer(order, { user, today: server.today });
  server.approvals.set(dialog.systemId, server.today);
  return profile.signedInByTan;
};
