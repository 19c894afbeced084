import { showSession } from '../../linking/deliver.ts';
import type { Operation } from './operation.ts';

export const getSession: Operation<'getSession'> = async ({ session }, { linking }) => ({
  view: await showSession(linking, session),
});
