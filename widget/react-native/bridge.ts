// The bridge between the application and the page in the web view. To the page, it sends a script that checks the page's origin
// before it delivers the message. From the page, it receives text, which is validated.
import {
  type ExitArguments,
  type HostMessage,
  type NativePageMessage,
  protocolVersion,
} from '../protocol.ts';
import type { ConnectEvent, ConnectResult } from '../types.ts';
import type { ServiceUrl } from './serviceUrl.ts';

/** The page's messages that the widget handles. */
export type HandledMessage = Exclude<NativePageMessage, { kind: 'ack' }>;

/** The script that delivers a message to the page. */
export const messageScript = ({ origin }: ServiceUrl, message: HostMessage): string => {
  const text = JSON.stringify({ serviceConnect: protocolVersion, ...message });
  const isServicePage = `location.origin===${JSON.stringify(origin)}&&window===top`;
  // The web view requires a script to end with a value.
  return `if(${isServicePage}&&window.serviceConnectPage)window.serviceConnectPage(${text});true;`;
};

type RawMessage = {
  serviceConnect?: unknown;
  kind?: unknown;
  title?: unknown;
  openId?: unknown;
  result?: unknown;
  name?: unknown;
  exit?: unknown;
  url?: unknown;
};

/** The message in the web view's event; undefined if it is invalid or not from the service's page. */
export const parsePageMessage = (
  serviceUrl: ServiceUrl,
  event: { url: string; data: unknown },
): HandledMessage | undefined => {
  const message = serviceUrl.isSameOrigin(event.url) ? parseRawMessage(event.data) : {};
  const { serviceConnect, kind, title, openId, result, name, exit, url } = message;
  if (serviceConnect !== protocolVersion) return undefined;
  if (kind === 'ready' && typeof title === 'string') return { kind, title };
  if (typeof openId !== 'number') return undefined;
  if (kind === 'exit') return { kind, openId };
  if (kind === 'redirect' && serviceUrl.isBankPage(url)) return { kind, openId, url };
  if (kind === 'event' && typeof name === 'string' && Array.isArray(exit))
    return { kind, openId, name: name as ConnectEvent, exit: exit as ExitArguments };
  return kind === 'success' && isResult(result) ? { kind, openId, result } : undefined;
};

const parseRawMessage = (data: unknown): RawMessage => {
  try {
    return Object(JSON.parse(String(data)));
  } catch {
    return {};
  }
};

const isResult = (value: unknown): value is ConnectResult => {
  const { connectionId, accounts, institution } = Object(value) as Partial<ConnectResult>;
  return typeof connectionId === 'string' && Array.isArray(accounts) && typeof institution?.id === 'string';
};
