// Door 2, the widget's page: operationId -> handler. The compiler checks that none is missing.
import type { operations as Contract } from '../../../generated/widget.ts';
import type { Handler, Handlers } from '../operation.ts';
import { abandonSession } from './abandonSession.ts';
import { acknowledgeSession } from './acknowledgeSession.ts';
import { advanceSession } from './advanceSession.ts';
import { createSession } from './createSession.ts';
import type { NoCaller, SessionCaller } from './credentials.ts';
import { getSession } from './getSession.ts';
import { listInstitutions } from './listInstitutions.ts';

type Callers = { [Id in keyof Contract]: Id extends 'createSession' ? NoCaller : SessionCaller };

/** A handler of the widget's door. */
export type Operation<Id extends keyof Contract> = Handler<Contract[Id], Callers[Id]>;

export const operations = {
  createSession,
  getSession,
  abandonSession,
  advanceSession,
  listInstitutions,
  acknowledgeSession,
} satisfies Handlers<Contract, Callers>;
