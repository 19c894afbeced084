import { acknowledgeLinkSession } from '../../linking/linkSessionResult.ts';
import type { Operation } from './operation.ts';

export const acknowledgeSession: Operation<'acknowledgeSession'> = async ({ session }, { linking }) =>
  acknowledgeLinkSession(linking, session);
