// The secrets of a SimpleFIN access as text: the setup token, which is claimed once, and the access URL, which the claim
// returns. Applications split the URL by hand and do not decode it, so both consist of letters, digits, `-` and `_`.
import { deriveKey, makeSecret } from '../../platform/vault/keys.ts';
import {
  encodeSecretToken,
  parseSecretToken,
  type SecretTokenForm,
} from '../../platform/vault/scopedToken.ts';

/** The id of an access, and the key derived from its secret. */
export type SimplefinKey = { id: string; key: Buffer };

type Form = SecretTokenForm & { deriveKey(secret: Buffer): Buffer };

const claimForm: Form = {
  ...{ purpose: 'simplefin claim v1', prefix: '' },
  deriveKey: (secret) => deriveKey(secret, 'simplefin claim key v1'),
};
const passwordForm: Form = {
  ...{ purpose: 'simplefin password v1', prefix: '' },
  deriveKey: (secret) => deriveKey(secret, 'simplefin access key v1'),
};

const idPrefix = 'sfa_';

const make = (form: Form, id: string): { text: string; key: Buffer } => {
  const secret = makeSecret();
  const text = encodeSecretToken(form, { id: id.slice(idPrefix.length), secret });
  return { text, key: form.deriveKey(secret) };
};

const parse = (form: Form, text: string): SimplefinKey | undefined => {
  const parsed = parseSecretToken(form, text);
  return parsed && { id: `${idPrefix}${parsed.id}`, key: form.deriveKey(parsed.secret) };
};

/** A new setup token: the claim URL in base64 (RFC 4648, section 4). */
export const makeSetupToken = (baseUrl: string, id: string): { setupToken: string; key: Buffer } => {
  const { text, key } = make(claimForm, id);
  const setupToken = Buffer.from(`${baseUrl}/simplefin/claim/${text}`).toString('base64');
  return { setupToken, key };
};

/** Parses the last part of a claim URL; undefined for any other text. */
export const parseClaimToken = (text: string): SimplefinKey | undefined => parse(claimForm, text);

/** A new access URL, with user name and password (RFC 3986, section 3.2.1). */
export const makeAccessUrl = (baseUrl: string, id: string): { accessUrl: string; key: Buffer } => {
  const { text, key } = make(passwordForm, id);
  const { protocol, host } = new URL(baseUrl);
  return { accessUrl: `${protocol}//${id}:${text}@${host}/simplefin`, key };
};

/** Parses the user name and password of an access URL; undefined for anything else. */
export const parsePassword = (credentials: { user: string; password: string }): SimplefinKey | undefined => {
  const parsed = parse(passwordForm, credentials.password);
  return parsed?.id === credentials.user ? parsed : undefined;
};
