// The operations of widget/openapi.yaml, by operationId. The compiler reports a missing one.
import type { operations as Contract } from '../../../generated/widget.ts';
import { checkEmbedding, createLinkSession, reloadLinkSession } from '../../linking/createLinkSession.ts';
import {
  acknowledgeLinkSession,
  cancelLinkSession,
  toLinkSessionView,
  viewLinkSession,
} from '../../linking/linkSessionView.ts';
import { acceptReturn } from '../../linking/returns.ts';
import { submitStep } from '../../linking/submitStep.ts';
import type { Service } from '../../service.ts';
import type { Handlers } from '../handler.ts';
import { makeRateLimit } from '../rateLimit.ts';
import type { AnonymousPrincipal, LinkSessionPrincipal, OriginPrincipal } from './authenticate.ts';

export type PrincipalByOperation = {
  [Id in keyof Contract]: Id extends 'createLinkSession' | 'returnFromInstitution'
    ? AnonymousPrincipal
    : Id extends 'checkEmbedding'
      ? OriginPrincipal
      : LinkSessionPrincipal;
};

export const operations = {
  createLinkSession: async ({ body }, { linking }) => {
    const { session, secret, expiresAt } = await createLinkSession(linking, body);
    const view = await toLinkSessionView(linking, session);
    return { session: { id: session.row.id, secret, expiresAt }, view };
  },

  checkEmbedding: async ({ path, origin }, { linking }) =>
    checkEmbedding(linking, { applicationId: path.applicationId, origin }),

  getLinkSession: async ({ session }, { linking }) => ({ view: await viewLinkSession(linking, session) }),

  cancelLinkSession: async ({ session }, { linking }) => cancelLinkSession(linking, session),

  submitLinkSessionStep: async ({ session, address, body }, { linking }) => {
    await submitStep(linking, session, { ...body, address });
    return { view: await viewLinkSession(linking, await reloadLinkSession(linking, session)) };
  },

  searchInstitutions: async ({ session, address, query }, service) => {
    limitSearches(service, address);
    return { institutions: service.registry.search(session.application.environment, query) };
  },

  returnFromInstitution: async ({ body }, { linking }) => acceptReturn(linking, body),

  acknowledgeLinkSession: async ({ session }, { linking }) => acknowledgeLinkSession(linking, session),
} satisfies Handlers<Contract, PrincipalByOperation, Service>;

// Anyone can open any number of link sessions, so their own limits do not bound what one client searches.
const limitSearches = (service: Service, address: string): void => {
  const { widgetRequestsPerMinute: limit } = service.config.limits;
  makeRateLimit(service, { name: 'institution searches', limit })(address);
};
