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
  /** The addresses at which its native apps receive users who return from banks' own pages, for example shop://bank-return. */
  returnAddresses: string[];
  createdAt: string;
  /** The time when native apps were allowed to open the widget without their own page; null if they are not. */
  nativeAllowedAt: string | null;
  /** The creation time of the current identity secret, which is derived from it (identityVerification.ts). */
  identitySecretAt: string | null;
  /** The version of the service's secret that it derives from. */
  identityServiceSecretId: string | null;
  /** The time when signed external user ids became required; null if they are not. */
  identityRequiredAt: string | null;
  logoHash: string | null;
  /** The colour of its buttons in the widget, #rrggbb. */
  color: string | null;
  /** The time of archiving; null while it is active. Nothing is linked, read, refreshed or delivered for an archived one. */
  archivedAt: string | null;
  /** The time when its first link session was opened. */
  firstLinkSessionAt: string | null;
  /** The requests per minute that its owners allow; null for the operator's maximum. */
  requestsPerMinute: number | null;
};

/**
 * True for an http(s) origin in its canonical form. URLs allow characters in a host, such as `*` and `;`, that have a different
 * meaning in a content security policy.
 */
export const isOrigin = (text: string): boolean =>
  /^https?:\/\/([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/.test(text) &&
  URL.canParse(text) &&
  new URL(text).origin === text;

/** An http(s) origin in its canonical form. Throws OperatorError for any other text. */
export const checkOrigin = (text: string): string => {
  const origin = text.replace(/\/$/, '');
  if (isOrigin(origin)) return origin;
  throw new OperatorError(
    `"${text}" is not an origin: it must look like https://shop.example, without a path.`,
  );
};

// Schemes of addresses that browsers open themselves, run, or pass to anything but the one app that has registered them.
const foreignScheme =
  /^(http|wss?|ftp|file|filesystem|blob|data|about|javascript|vbscript|view-source|jar|resource|chrome.*|edge|devtools|.*-extension|intent|android-app|content|mailto|tel|sms|market|itms.*)$/;
const returnAddressLengthMax = 300;

/** The text of the message about an invalid return address. */
export const returnAddressRule =
  'must look like shop://bank-return or https://shop.example/bank-return, with a scheme and host in lower case and no query';

/** True for the address of a native app: a scheme of its own with a host, or an https URL; without a query. */
export const isReturnAddress = (text: string): boolean => {
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\/[a-z\d][a-z\d.-]*(:\d+)?(\/[\w.~/-]*)?$/.exec(text) ?? [];
  return (
    scheme !== undefined &&
    text.length <= returnAddressLengthMax &&
    !foreignScheme.test(scheme) &&
    URL.canParse(text)
  );
};

/** Returns the address of a native app (see `isReturnAddress`). Throws OperatorError for any other text. */
export const checkReturnAddress = (text: string): string => {
  if (isReturnAddress(text)) return text;
  throw new OperatorError(`"${text}" is not a return URL: it ${returnAddressRule}.`);
};
