// The types of the dashboard's handlers: the principal follows from the required role and the path of the operation.
import type { operations as Contract } from '../../../generated/dashboard.ts';
import type { Service } from '../../service.ts';
import type { Handler } from '../handler.ts';
import type {
  AnonymousPrincipal,
  ApplicationPrincipal,
  MemberPrincipal,
  OrganizationPrincipal,
} from './authenticate.ts';
import type { requiredRole } from './requiredRole.ts';

type PathOf<Id extends keyof Contract> = Contract[Id]['parameters']['path'];

type PrincipalOf<Id extends keyof Contract> = (typeof requiredRole)[Id] extends 'anyone'
  ? AnonymousPrincipal
  : (typeof requiredRole)[Id] extends 'any_session' | 'member'
    ? MemberPrincipal
    : PathOf<Id> extends { applicationId: string }
      ? ApplicationPrincipal
      : OrganizationPrincipal;

export type PrincipalByOperation = { [Id in keyof Contract]: PrincipalOf<Id> };

/** A handler of the dashboard's private API. */
export type Operation<Id extends keyof Contract> = Handler<Contract[Id], PrincipalByOperation[Id], Service>;
