import { advance } from '../../linking/advance.ts';
import { showSession } from '../../linking/deliver.ts';
import { reloadSession } from '../../linking/start.ts';
import type { Operation } from './operation.ts';

export const advanceSession: Operation<'advanceSession'> = async ({ session, body }, { linking }) => {
  await advance(linking, session, body);
  return { view: await showSession(linking, await reloadSession(linking, session)) };
};
