// Opens a port.
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OperatorError } from '../../platform/values/errors.ts';

export type Listening = { port: number; close(): Promise<void> };

/** `settings` are the settings that the address comes from. */
export type Address = { host: string; port: number; settings?: { port: string; host: string } };

/** Listens at the address and returns the port, which the system chooses for 0. Throws OperatorError if it cannot listen. */
export const listenAt = async (
  server: Server,
  { host, port, settings = { port: 'PORT', host: 'HOST' } }: Address,
): Promise<number> => {
  server.prependListener('request', toOriginForm);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'the address is already in use' : error.message;
      const setting = `Change ${settings.port} or ${settings.host}.`;
      reject(new OperatorError(`Cannot listen on ${host}:${port}: ${reason}. ${setting}`));
    });
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
};

/**
 * A target in absolute form means its path (RFC 9112, section 3.2.2). Its authority is dropped before anything reads the target,
 * because this server has no other names.
 */
const toOriginForm = (request: IncomingMessage): void => {
  const [, rest] = /^[a-z][\w+.-]*:\/\/[^/?#]*(.*)$/is.exec(request.url!) ?? [];
  if (rest !== undefined) request.url = rest.startsWith('/') ? rest : `/${rest}`;
};
