// Which URLs and addresses webhooks may be sent to. Without the check of addresses, whoever may add an endpoint could make
// the service send requests into the network that it runs in.
import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Environment } from '../clock.ts';
import { OperatorError } from '../errors.ts';

const urlLengthMax = 2000;

/** Whether an IP address may be connected to. */
export type AddressFilter = (address: string) => boolean;

/** Allows public addresses, and those in `networks` (addresses or CIDR blocks). */
export const makeAddressFilter = (networks: readonly string[]): AddressFilter => {
  const allowed = new BlockList();
  for (const network of networks) {
    const [address, bits] = network.split('/') as [string, string?];
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) allowed.addAddress(address, family);
    else allowed.addSubnet(address, Number(bits), family);
  }
  return (address) => allowed.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6') || isPublic(address);
};

const globalUnicast = ipaddr.parseCIDR('2000::/3');

// The ranges of ipaddr.js leave out deprecated forms of IPv6 that contain an IPv4 address.
const isPublic = (address: string): boolean => {
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast);
};

/** The IP address that a URL names instead of a host; undefined for a name. */
export const literalAddress = ({ hostname }: URL): string | undefined => {
  const text = hostname.replace(/^\[|\]$/g, '');
  return isIP(text) === 0 ? undefined : text;
};

/**
 * The URL of an endpoint in canonical form. Throws OperatorError that says what was expected. The address of a name is
 * checked at each connection, because it may change.
 */
export const checkWebhookUrl = (text: string, environment: Environment, isAllowed: AddressFilter): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || text.length > urlLengthMax) {
    throw new OperatorError('must look like https://example.com/webhooks');
  }
  if (environment === 'production' && url.protocol !== 'https:') {
    throw new OperatorError('must begin with https:// for a Production application');
  }
  if (url.username || url.password) throw new OperatorError('must not contain a user name or password');
  if (url.hash) throw new OperatorError('must not contain a fragment (#)');
  const address = literalAddress(url);
  if (url.hostname === 'localhost' && !isAllowed('127.0.0.1') && !isAllowed('::1')) {
    throw new OperatorError(forbiddenMessage);
  }
  if (address !== undefined && !isAllowed(address)) throw new OperatorError(forbiddenMessage);
  return url.href;
};

const forbiddenMessage =
  'must not be an address of a private network, unless the operator lists it in WEBHOOK_ALLOWED_NETWORKS';
