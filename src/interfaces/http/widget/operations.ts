// The operations of widget/openapi.yaml, by operationId (the compiler reports a missing one). A request is authenticated
// by the secret of its link session.
import type { operations as Contract } from '../../../../generated/widget.ts';
import {
  authenticateLinkSession,
  checkEmbedding,
  createLinkSession,
  reloadLinkSession,
} from '../../../flows/link/createLinkSession.ts';
import type { OpenLinkSession } from '../../../flows/link/linkSession.ts';
import {
  acknowledgeLinkSession,
  cancelLinkSession,
  toLinkSessionView,
  viewLinkSession,
} from '../../../flows/link/linkSessionView.ts';
import { acceptReturn } from '../../../flows/link/returns.ts';
import type { RequestingUser } from '../../../flows/link/step.ts';
import { submitStep } from '../../../flows/link/submitStep.ts';
import { Unauthenticated, WrongOrigin } from '../../../platform/values/errors.ts';
import { toIpKey } from '../../../platform/values/ipKey.ts';
import type { AuthenticationRequest } from '../contractRouter.ts';
import type { Handlers } from '../handler.ts';
import { isFromOwnOrigin, makeRateLimit } from '../limits.ts';
import type { WidgetNeeds } from '../needs.ts';

export type PrincipalByOperation = {
  [Id in keyof Contract]: Id extends 'createLinkSession' | 'returnFromInstitution'
    ? AnonymousPrincipal
    : Id extends 'checkEmbedding'
      ? OriginPrincipal
      : LinkSessionPrincipal;
};

export const operations = {
  createLinkSession: async ({ body }, { linking }) => {
    const { session, secret } = await createLinkSession(linking, body);
    const { id, expiresAt } = session.row;
    return { session: { id, secret, expiresAt }, view: await toLinkSessionView(linking, session) };
  },

  checkEmbedding: async ({ path, origin }, { linking }) =>
    checkEmbedding(linking, { applicationId: path.applicationId, origin }),

  getLinkSession: async ({ session }, { linking }) => ({ view: await viewLinkSession(linking, session) }),

  cancelLinkSession: async ({ session }, { linking }) => cancelLinkSession(linking, session),

  submitLinkSessionStep: async ({ session, ipKey, user, body }, { linking }) => {
    await submitStep(linking, session, { ...body, ipKey, user });
    return { view: await viewLinkSession(linking, await reloadLinkSession(linking, session)) };
  },

  searchInstitutions: async ({ session, ipKey, query }, service) => {
    limitSearches(service, ipKey);
    return { institutions: await service.registry.search(session.application.environment, query) };
  },

  returnFromInstitution: async ({ body }, { linking }) => acceptReturn(linking, body),

  acknowledgeLinkSession: async ({ session }, { linking }) => acknowledgeLinkSession(linking, session),
} satisfies Handlers<Contract, PrincipalByOperation, WidgetNeeds>;

// Anyone can open any number of link sessions, so their own limits do not bound one client's searches.
const limitSearches = (service: WidgetNeeds, ipKey: string): void => {
  const { widgetRequestsPerMinute } = service.config.limits;
  makeRateLimit(service, 'institution searches', widgetRequestsPerMinute)(ipKey);
};

export type LinkSessionPrincipal = { session: OpenLinkSession; ipKey: string; user: RequestingUser };
export type AnonymousPrincipal = Record<never, never>;
/** The requesting page, by its origin. */
export type OriginPrincipal = { origin: string };

/**
 * Throws WrongOrigin if a page from another origin sends the request: only the service's page reports the embedding page
 * truthfully. Throws Unauthenticated if the secret is not the session's, and LinkSessionExpired.
 */
export const authenticateWidget = async (
  service: WidgetNeeds,
  { request, operation, path }: AuthenticationRequest,
): Promise<LinkSessionPrincipal | OriginPrincipal | AnonymousPrincipal> => {
  const { baseUrl } = service.config;
  if (operation.allowsOtherOrigins) return { origin: request.get('Origin') ?? new URL(baseUrl).origin };
  if (!isFromOwnOrigin(baseUrl, request)) throw new WrongOrigin(baseUrl);
  if (operation.security.length === 0) return {};
  const [, secret] = /^Bearer +(\S+)$/i.exec(request.get('Authorization') ?? '') ?? [];
  if (!secret) throw new Unauthenticated();
  const session = await authenticateLinkSession(service.linking, String(path.linkSessionId), secret);
  const header = (name: string): string => request.get(name) ?? '';
  const user = { userAgent: header('User-Agent'), acceptLanguage: header('Accept-Language') };
  return { session, ipKey: toIpKey(request.ip), user: { ip: request.ip ?? '', ...user } };
};
