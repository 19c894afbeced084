// Decides which addresses may be connected to if the URL comes from an untrusted source: an endpoint of webhooks, or the server of
// a connector. Without this check, anyone who may enter a URL could make the service send requests into its own network.
import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** True if an IP address may be connected to. */
export type IpFilter = (ip: string) => boolean;

/** Allows public addresses, and those in `networks` (addresses or CIDR blocks). */
export const makeIpFilter = (networks: readonly string[]): IpFilter => {
  const allowed = new BlockList();
  for (const network of networks) {
    const [ip, bits] = network.split('/') as [string, string?];
    const family = isIP(ip) === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) allowed.addAddress(ip, family);
    else allowed.addSubnet(ip, Number(bits), family);
  }
  return (ip) => allowed.check(ip, isIP(ip) === 4 ? 'ipv4' : 'ipv6') || isPublic(ip);
};

const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** A cloud's host service at a public address (Azure). Only virtual machines reach it, as with 169.254.169.254. */
const cloudHostService = '168.63.129.16';

// The ranges of ipaddr.js miss deprecated forms of IPv6 that contain an IPv4 address.
const isPublic = (ip: string): boolean => {
  const parsed = ipaddr.parse(ip);
  if (parsed.range() !== 'unicast' || ip === cloudHostService) return false;
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast);
};

/** The IP address in a URL in place of a host name; undefined for a name. */
export const literalIp = ({ hostname }: URL): string | undefined => {
  const text = hostname.replace(/^\[|\]$/g, '');
  return isIP(text) === 0 ? undefined : text;
};

/**
 * True if a URL may be connected to, judging by its text. The addresses of a name are checked at each connection, because they may
 * change.
 */
export const isAllowedHost = (url: URL, isAllowed: IpFilter): boolean => {
  if (url.hostname === 'localhost') return isAllowed('127.0.0.1') || isAllowed('::1');
  const ip = literalIp(url);
  return ip === undefined || isAllowed(ip);
};

/** True if a URL points to this machine: `localhost` or a loopback address. */
export const isLoopbackHost = (url: URL): boolean => {
  const ip = literalIp(url);
  if (ip === undefined) return url.hostname === 'localhost';
  return ipaddr.process(ip).range() === 'loopback';
};
