// The dashboard's private API: operationId -> handler. The compiler checks that none is missing.
import type { operations as Contract } from '../../../generated/dashboard.ts';
import type { Service } from '../../service.ts';
import type { Handlers } from '../handler.ts';
import * as account from './account.ts';
import * as apiKeys from './apiKeys.ts';
import * as applications from './applications.ts';
import * as audit from './audit.ts';
import * as connections from './connections.ts';
import * as linkSessions from './linkSessions.ts';
import type { PrincipalByOperation } from './operation.ts';
import * as organizations from './organizations.ts';
import * as overview from './overview.ts';
import * as requests from './requests.ts';
import * as sandbox from './sandbox.ts';
import * as search from './search.ts';
import * as signIn from './signIn.ts';
import * as simplefinAccesses from './simplefinAccesses.ts';
import * as webhooks from './webhooks.ts';

export const operations = {
  ...signIn,
  ...account,
  ...organizations,
  ...applications,
  ...apiKeys,
  ...connections,
  ...overview,
  ...search,
  ...linkSessions,
  ...requests,
  ...webhooks,
  ...simplefinAccesses,
  ...sandbox,
  ...audit,
} satisfies Handlers<Contract, PrincipalByOperation, Service>;
