// Explains at startup, in one sentence, why a PostgreSQL database cannot be used and how to fix it.
import type pg from 'pg';
import { OperatorError } from '../values/errors.ts';

/** The parts of DATABASE_URL, with the driver's defaults. databaseUrl.ts ensures that the host is not part of a password. */
type Target = Pick<pg.Client, 'host' | 'port' | 'user' | 'database'>;

const unreachable =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const noAnswer = /^timeout expired$|^Connection terminated|in time\.$/;
const badCertificate = /^(CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|ERR_TLS|ERR_SSL|HOSTNAME_)/;
const noTls = /does not support SSL|EPROTO/;

/** Explains an error of the first connection. */
export const explainConnecting = (error: Error & { code?: string }, target: Target): OperatorError => {
  const { code = '', message } = error;
  const { host, port, user, database } = target;
  const server = `The PostgreSQL server at ${host}:${port}`;
  const why = code === '' ? message : `${message} (${code})`;
  const sentence = (): string => {
    if (unreachable.test(code) || noAnswer.test(message) || (code === 'ENOENT' && host.startsWith('/')))
      return `${server} does not answer: ${why}.`;
    if (code === '28P01')
      return `${server} does not accept the user "${user}" with the password of DATABASE_URL.`;
    if (code === '28000' && message.endsWith('no encryption'))
      return `${server} demands TLS: add ?sslmode=require to DATABASE_URL.`;
    if (code === '28000') return `${server} does not let "${user}" connect: ${message}.`;
    if (code === '3D000') return `${server} has no database "${database}". ${createDatabase(database!)}`;
    if (code === '42501')
      return `The user "${user}" may not connect to the database "${database}". ${asAdministrator(`grant connect on database "${database}" to "${user}"`)}`;
    if (noTls.test(message))
      return `${server} has no TLS: leave sslmode out of DATABASE_URL, or enable TLS on the server.`;
    if (badCertificate.test(code))
      return `${server} has a certificate that is not trusted (${code}). Name the file of its authority by sslrootcert=FILE in DATABASE_URL.`;
    return `${server} cannot be used: ${why}.`;
  };
  return new OperatorError(sentence());
};

/** Throws OperatorError for a database that cannot store all text. */
export const checkEncoding = ({ name, encoding }: { name: string; encoding: string }): void => {
  if (encoding === 'UTF8') return;
  throw new OperatorError(
    `The database "${name}" has the encoding ${encoding}, but the service needs UTF8. ${createDatabase(`${name}_utf8`)}`,
  );
};

/** Explains that a role may not create or change tables. */
export const explainMissingRight = (
  { message }: Error,
  { role, schema }: { role: string; schema: string | null },
): OperatorError =>
  new OperatorError(
    `The role "${role}" of DATABASE_URL may not migrate the database: ${message}. ${asAdministrator(`grant usage, create on schema "${schema ?? 'public'}" to "${role}"`)}`,
  );

const asAdministrator = (statement: string): string =>
  `As an administrator, run in that database: ${statement};`;

const createDatabase = (name: string): string =>
  `As an administrator, run: create database "${name}" encoding 'UTF8' locale 'C' template template0;`;
