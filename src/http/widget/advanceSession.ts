import { submitStep } from '../../linking/submitStep.ts';
import { viewLinkSession } from '../../linking/linkSessionResult.ts';
import { reloadLinkSession } from '../../linking/createLinkSession.ts';
import type { Operation } from './operation.ts';

export const advanceSession: Operation<'advanceSession'> = async ({ session, body }, { linking }) => {
  await submitStep(linking, session, body);
  return { view: await viewLinkSession(linking, await reloadLinkSession(linking, session)) };
};
