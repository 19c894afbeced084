// Which URLs webhooks may be sent to.
import { type AddressFilter, isAllowedHost } from '../../connectors/kit/addressFilter.ts';
import type { Environment } from '../clock.ts';
import { OperatorError } from '../errors.ts';
import { parseUrl } from '../text.ts';

const urlLengthMax = 2000;

/**
 * The URL of an endpoint in canonical form. Throws OperatorError that says what was expected. The address of a name is
 * checked at each connection, because it may change.
 */
export const checkWebhookUrl = (text: string, environment: Environment, isAllowed: AddressFilter): string => {
  const url = parseUrl(text);
  if (!url || !/^https?:$/.test(url.protocol) || text.length > urlLengthMax) {
    throw new OperatorError('must look like https://example.com/webhooks');
  }
  if (environment === 'production' && url.protocol !== 'https:') {
    throw new OperatorError('must begin with https:// for a Production application');
  }
  if (url.username || url.password) throw new OperatorError('must not contain a user name or password');
  if (url.hash) throw new OperatorError('must not contain a fragment (#)');
  if (!isAllowedHost(url, isAllowed)) {
    throw new OperatorError(
      'must not be an address of a private network, unless the operator lists it in ALLOWED_NETWORKS',
    );
  }
  return url.href;
};
