import { viewLinkSession } from '../../linking/linkSessionResult.ts';
import type { Operation } from './operation.ts';

export const getSession: Operation<'getSession'> = async ({ session }, { linking }) => ({
  view: await viewLinkSession(linking, session),
});
