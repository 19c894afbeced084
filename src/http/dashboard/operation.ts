// Who a handler of the dashboard's door hears from: as much as its operation's least role and address promise.
import type { operations as Contract } from '../../../generated/dashboard.ts';
import type { Handler } from '../operation.ts';
import type { ApplicationCaller, MemberCaller, OrganizationCaller, Visitor } from './credentials.ts';
import type { leastRole } from './roles.ts';

type PathOf<Id extends keyof Contract> = Contract[Id]['parameters']['path'];

type Caller<Id extends keyof Contract> = (typeof leastRole)[Id] extends 'anyone'
  ? Visitor
  : (typeof leastRole)[Id] extends 'member'
    ? MemberCaller
    : PathOf<Id> extends { applicationId: string }
      ? ApplicationCaller
      : OrganizationCaller;

export type Callers = { [Id in keyof Contract]: Caller<Id> };

/** A handler of the dashboard's door. */
export type Operation<Id extends keyof Contract> = Handler<Contract[Id], Callers[Id]>;
