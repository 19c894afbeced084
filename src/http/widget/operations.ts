// Door 2, the widget's page: operationId -> handler. The compiler checks that none is missing.
import type { operations as Contract } from '../../../generated/widget.ts';
import type { Handlers } from '../handler.ts';
import { abandonSession } from './abandonSession.ts';
import { acknowledgeSession } from './acknowledgeSession.ts';
import { advanceSession } from './advanceSession.ts';
import { createSession } from './createSession.ts';
import { getSession } from './getSession.ts';
import { listInstitutions } from './listInstitutions.ts';
import type { PrincipalByOperation } from './operation.ts';

export const operations = {
  createSession,
  getSession,
  abandonSession,
  advanceSession,
  listInstitutions,
  acknowledgeSession,
} satisfies Handlers<Contract, PrincipalByOperation>;
