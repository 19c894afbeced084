import { cancelLinkSession } from '../../linking/linkSessionResult.ts';
import type { Operation } from './operation.ts';

export const abandonSession: Operation<'abandonSession'> = async ({ session }, { linking }) =>
  cancelLinkSession(linking, session);
