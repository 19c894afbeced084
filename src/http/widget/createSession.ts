import { startSession } from '../../linking/start.ts';
import { viewOf } from '../../linking/view.ts';
import type { Operation } from './operation.ts';

export const createSession: Operation<'createSession'> = async ({ body }, { linking }) => {
  const { session, secret, expiresAt } = await startSession(linking, body);
  return { session: { id: session.row.id, secret, expiresAt }, view: viewOf(linking, session) };
};
