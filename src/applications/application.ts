// Organization -> application -> API keys. An application belongs to one environment for life.
import type { Environment } from '../clock.ts';
import { OperatorError } from '../errors.ts';

export type Organization = { id: string; name: string; createdAt: string };

export type Application = {
  id: string;
  organizationId: string;
  name: string;
  environment: Environment;
  /** The origins whose pages may open the widget, for example https://shop.example. */
  origins: string[];
  createdAt: string;
  /** Since when native applications may open the widget, without a host page. */
  nativeAllowedAt: string | null;
  /** When the present secret for signing users was made; the secret itself follows from it (identity.ts). */
  identitySecretAt: string | null;
  /** Since when an external user id must be signed. */
  identityRequiredAt: string | null;
};

/** An http(s) origin in its one spelling; an OperatorError says what is wrong with anything else. */
export const checkOrigin = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.origin === text.replace(/\/$/, '')) return url.origin;
  throw new OperatorError(
    `"${text}" is not an origin: it must look like https://shop.example, without a path.`,
  );
};

export const checkEnvironment = (text: string): Environment => {
  if (text === 'sandbox' || text === 'production') return text;
  throw new OperatorError(`The environment must be sandbox or production, not "${text}".`);
};
