import { createLinkSession } from '../../linking/createLinkSession.ts';
import { toLinkSessionView } from '../../linking/linkSessionView.ts';
import type { Operation } from './operation.ts';

export const createSession: Operation<'createSession'> = async ({ body }, { linking }) => {
  const { session, secret, expiresAt } = await createLinkSession(linking, body);
  return { session: { id: session.row.id, secret, expiresAt }, view: toLinkSessionView(linking, session) };
};
