import { abandon } from '../../linking/deliver.ts';
import type { Operation } from './operation.ts';

export const abandonSession: Operation<'abandonSession'> = async ({ session }, { linking }) =>
  abandon(linking, session);
