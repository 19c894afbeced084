// An organization has applications, and an application has API keys. The environment of an application never changes.
import type { Environment } from '../../platform/values/clock.ts';
import { OperatorError } from '../../platform/values/errors.ts';

export type Organization = { id: string; name: string; createdAt: string };

export type Application = {
  id: string;
  organizationId: string;
  name: string;
  environment: Environment;
  /** The origins whose pages may open the widget, for example https://shop.example. */
  origins: string[];
  /** The URLs where its native apps receive users returning from a bank's own page, for example shop://bank-return. */
  returnAddresses: string[];
  createdAt: string;
  /** When native apps were allowed to open the widget without their own page; null if they are not allowed. */
  nativeAllowedAt: string | null;
  /** When the current identity secret was created. The secret is derived from this time (identityVerification.ts). */
  identitySecretAt: string | null;
  /** The version of the service secret that the identity secret is derived from. */
  identityServiceSecretId: string | null;
  /** When signed external user ids became required; null if they are optional. */
  identityRequiredAt: string | null;
  logoHash: string | null;
  /** The color of its buttons in the widget, #rrggbb. */
  color: string | null;
  /** When it was archived; null while active. Nothing is linked, read, refreshed or delivered for an archived application. */
  archivedAt: string | null;
  /** When its first link session was opened. */
  firstLinkSessionAt: string | null;
  /** The requests per minute allowed by its owners; null for the operator's maximum. */
  requestsPerMinute: number | null;
};

/**
 * True for a canonical http(s) origin. URLs allow host characters, such as `*` and `;`, that have a different meaning in a
 * content security policy.
 */
export const isOrigin = (text: string): boolean =>
  /^https?:\/\/([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/.test(text) &&
  URL.canParse(text) &&
  new URL(text).origin === text;

/** Returns an http(s) origin in its canonical form. Throws OperatorError for any other text. */
export const checkOrigin = (text: string): string => {
  const origin = text.replace(/\/$/, '');
  if (isOrigin(origin)) return origin;
  throw new OperatorError(
    `"${text}" is not an origin: it must look like https://shop.example, without a path.`,
  );
};

// Schemes that browsers open or run themselves, or pass to anything but the one app that registered them.
const reservedScheme =
  /^(http|wss?|ftp|file|filesystem|blob|data|about|javascript|vbscript|view-source|jar|resource|chrome.*|edge|devtools|.*-extension|intent|android-app|content|mailto|tel|sms|market|itms.*)$/;
const returnAddressLengthMax = 300;

/** The error text for an invalid return address. */
export const returnAddressRule =
  'must look like shop://bank-return or https://shop.example/bank-return, with a scheme and host in lower case and no query';

/** True for the URL of a native app: a custom scheme with a host, or an https URL; no query. */
export const isReturnAddress = (text: string): boolean => {
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\/[a-z\d][a-z\d.-]*(:\d+)?(\/[\w.~/-]*)?$/.exec(text) ?? [];
  return (
    scheme !== undefined &&
    text.length <= returnAddressLengthMax &&
    !reservedScheme.test(scheme) &&
    URL.canParse(text)
  );
};

/** Returns the URL of a native app (see `isReturnAddress`). Throws OperatorError for any other text. */
export const checkReturnAddress = (text: string): string => {
  if (isReturnAddress(text)) return text;
  throw new OperatorError(`"${text}" is not a return URL: it ${returnAddressRule}.`);
};
