// DATABASE_URL: the path of a SQLite file, or the address of a PostgreSQL server. No error repeats a part of it: if a password
// is not percent-encoded, even the host may be a piece of it.
import { OperatorError } from '../values/errors.ts';

/** Reads the setting. Throws OperatorError. */
export const databaseUrl = (text: string, variable: string): string => {
  // Without a file, each connection would have its own database.
  if (/^sqlite:(?!:memory:$)./.test(text)) return text;
  const [, authority, rest] = /^postgres(?:ql)?:\/\/([^/?#]*)(.*)$/s.exec(text) ?? [];
  if (authority === undefined || rest === undefined)
    throw new OperatorError(`${variable} must be sqlite: and the path of a file, or begin with postgres://.`);
  if (/@.*@/.test(authority) || /[@#]/.test(rest) || /%(?![\da-f]{2})/i.test(text))
    throw new OperatorError(
      `${variable} has a character that must be percent-encoded, perhaps in the password: write %40 for @, %2F for /, %3F for ?, %23 for # and %25 for %.`,
    );
  const host = authority.split('@').at(-1)!;
  if (/,|%2c/i.test(host) || /[?&](host|port)=[^&]*(,|%2c)|[?&]host=.*&host=/i.test(rest))
    throw new OperatorError(
      `${variable} names several hosts, but the service connects to one: name the primary, or a proxy that leads to it.`,
    );
  // The host may be in `?host=` alone.
  const complete = host === '' ? text.replace(`${authority}/`, `${authority}localhost/`) : text;
  if (!URL.canParse(complete))
    throw new OperatorError(`${variable} must look like postgres://user:password@host:5432/database.`);
  const mode = new URL(complete).searchParams.get('sslmode');
  if (mode !== null && !sslModes.includes(mode))
    throw new OperatorError(`sslmode in ${variable} must be one of ${sslModes.join(', ')}.`);
  return text;
};

/** `no-verify` encrypts without checking the server's certificate; the two after it mean the same as `verify-full`. */
const sslModes = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full'];

/** The URL for the driver, which always checks the certificate only for `verify-full`. */
export const toDriverUrl = (databaseUrl: string): string =>
  databaseUrl.replace(/([?&]sslmode=)(require|verify-ca)(?=&|$)/, '$1verify-full');

export const hidden = '(hidden)';

/** Only the host and database of a PostgreSQL URL: the rest may contain a password anywhere. */
export const withoutPassword = (databaseUrl: string): string => {
  if (databaseUrl.startsWith('sqlite:')) return databaseUrl;
  if (!URL.canParse(databaseUrl)) return hidden;
  const { protocol, host, pathname } = new URL(databaseUrl);
  return `${protocol}//${hidden}@${host}${pathname}`;
};
