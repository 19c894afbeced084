// The two directions of the bridge. To the page: a script for the web view to run, which looks where it runs before
// it says anything. From the page: text, of which nothing is believed that has not the expected form.
import { type HostMessage, type PageMessage, protocolVersion } from '../protocol.ts';
import type { ServiceAddress } from './serviceAddress.ts';

/** The script that says this to the page. */
export const messageScript = ({ origin }: ServiceAddress, message: HostMessage): string => {
  const text = JSON.stringify({ serviceConnect: protocolVersion, ...message });
  const here = `location.origin===${JSON.stringify(origin)}&&window===top`;
  // The web view wants a script to end in a value.
  return `if(${here}&&window.serviceConnectPage)window.serviceConnectPage(${text});true;`;
};

type RawMessage = {
  serviceConnect?: unknown;
  kind?: unknown;
  title?: unknown;
  run?: unknown;
  result?: unknown;
};

/** What the page said, if it was the service's page and is a message for an application. */
export const parsePageMessage = (
  address: ServiceAddress,
  { url, data }: { url: string; data: unknown },
): Exclude<PageMessage, { kind: 'here' }> | undefined => {
  const { serviceConnect, kind, title, run, result } = address.isSameOrigin(url) ? parseRawMessage(data) : {};
  if (serviceConnect !== protocolVersion) return undefined;
  if (kind === 'ready' && typeof title === 'string') return { kind, title };
  if (typeof run !== 'number') return undefined;
  if (kind === 'exit') return { kind, run };
  return kind === 'success' && isResult(result) ? { kind, run, result } : undefined;
};

const parseRawMessage = (data: unknown): RawMessage => {
  try {
    return Object(JSON.parse(String(data)));
  } catch {
    return {};
  }
};

type Result = (PageMessage & { kind: 'success' })['result'];

const isResult = (value: unknown): value is Result => {
  const { connectionId, accounts, institution } = Object(value) as Partial<Result>;
  return typeof connectionId === 'string' && Array.isArray(accounts) && typeof institution?.id === 'string';
};
