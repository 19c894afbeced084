// The operator's application at Enable Banking: its id, its key and its signed tokens.
import { createPrivateKey, type KeyObject, sign } from 'node:crypto';

export type Application = { id: string; key: KeyObject };

/** Parses a private RSA key in PEM (PKCS #1 or PKCS #8). Throws an Error for the operator that contains no part of the text. */
export const parseKey = (pem: string): KeyObject => {
  const key = tryParse(pem);
  if (key?.asymmetricKeyType === 'rsa') return key;
  throw new Error(
    'ENABLE_BANKING_KEY must be a private RSA key without a password, in PEM (PKCS #1 or PKCS #8).',
  );
};

const tryParse = (pem: string): KeyObject | undefined => {
  try {
    return createPrivateKey(pem);
  } catch {
    // OpenSSL's message would not help the operator.
    return undefined;
  }
};

/** The provider accepts at most one day. */
const tokenSeconds = 3600;

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** A JSON Web Token signed with RS256 (RFC 7515; RFC 7518, section 3.3), valid for one hour. */
export const makeToken = ({ id, key }: Application, now: Date): string => {
  const iat = Math.floor(now.getTime() / 1000);
  const claims = { iss: 'enablebanking.com', aud: 'api.enablebanking.com', iat, exp: iat + tokenSeconds };
  const signed = `${encode({ typ: 'JWT', alg: 'RS256', kid: id })}.${encode(claims)}`;
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), key).toString('base64url')}`;
};
