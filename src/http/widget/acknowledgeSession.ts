import { acknowledge } from '../../linking/deliver.ts';
import type { Operation } from './operation.ts';

export const acknowledgeSession: Operation<'acknowledgeSession'> = async ({ session }, { linking }) =>
  acknowledge(linking, session);
