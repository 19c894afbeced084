// Who asks at the widget's door: the page that holds a session's secret.
import type { Request } from 'express';
import { Unauthenticated } from '../../errors.ts';
import type { OpenLinkSession } from '../../linking/linkSession.ts';
import { authenticateLinkSession } from '../../linking/createLinkSession.ts';
import type { Service } from '../../service.ts';

export type LinkSessionPrincipal = { session: OpenLinkSession };
/** Starting a session takes none. */
export type AnonymousPrincipal = Record<never, never>;

/** The caller of an operation; Unauthenticated or Expired where the secret is not the session's or it is over. */
export const authenticateWidget = async (
  service: Service,
  request: Request,
  operationId: string,
): Promise<LinkSessionPrincipal | AnonymousPrincipal> => {
  if (operationId === 'createLinkSession') return {};
  const [, secret] = /^Bearer +(\S+)$/i.exec(request.get('Authorization') ?? '') ?? [];
  if (!secret) throw new Unauthenticated();
  return {
    session: await authenticateLinkSession(service.linking, String(request.params.linkSessionId), secret),
  };
};
