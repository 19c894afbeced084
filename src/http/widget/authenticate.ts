// Authenticates requests of the widget's page by the secret of its link session.
import { toAddressKey } from '../../addressKey.ts';
import { OriginNotAllowed, Unauthenticated } from '../../errors.ts';
import { authenticateLinkSession } from '../../linking/createLinkSession.ts';
import type { OpenLinkSession } from '../../linking/linkSession.ts';
import type { Service } from '../../service.ts';
import type { AuthenticationRequest } from '../contractRouter.ts';
import { isFromOwnOrigin } from '../ownOrigin.ts';

export type LinkSessionPrincipal = { session: OpenLinkSession; address: string };
export type AnonymousPrincipal = Record<never, never>;
/** The page that asks, by its origin. */
export type OriginPrincipal = { origin: string };

/**
 * Throws OriginNotAllowed where a page of another origin sends the request: only ours says truly in which page it is.
 * Throws Unauthenticated where the secret is not the session's, and LinkSessionExpired.
 */
export const authenticateWidget = async (
  service: Service,
  { request, operation, path }: AuthenticationRequest,
): Promise<LinkSessionPrincipal | OriginPrincipal | AnonymousPrincipal> => {
  const { baseUrl } = service.config;
  if (operation.allowsOtherOrigins) return { origin: request.get('Origin') ?? new URL(baseUrl).origin };
  if (!isFromOwnOrigin(baseUrl, request)) throw new OriginNotAllowed();
  if (operation.security.length === 0) return {};
  const [, secret] = /^Bearer +(\S+)$/i.exec(request.get('Authorization') ?? '') ?? [];
  if (!secret) throw new Unauthenticated();
  const session = await authenticateLinkSession(service.linking, String(path.linkSessionId), secret);
  return { session, address: toAddressKey(request.ip) };
};
