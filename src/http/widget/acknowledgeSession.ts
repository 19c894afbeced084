import { acknowledge } from '../../linking/deliver.ts';
import type { Operation } from './operations.ts';

export const acknowledgeSession: Operation<'acknowledgeSession'> = async ({ session }, { linking }) =>
  acknowledge(linking, session);
