// The context of an organization's pages: session, organization, and the permissions of the member's role.
import { createContext, useContext } from 'react';
import type { Schemas } from '../api/apiClient.ts';
import { hasRole, type OrganizationMembership, type Role, type Session } from '../api/session.ts';

export type OrgContextValue = {
  session: Session;
  organization: OrganizationMembership;
  /** The environment that the member last used in this browser. */
  chosenEnvironment: Schemas['Environment'] | undefined;
  chooseEnvironment: (environment: Schemas['Environment']) => void;
};

export const OrgContext = createContext<OrgContextValue | undefined>(undefined);

type OrgPages = OrgContextValue & {
  /** The path prefix of this organization's pages. */
  root: string;
  hasRole: (requiredRole: Role) => boolean;
};

/** Throws outside an organization's pages. */
export const useOrgContext = (): OrgPages => {
  const context = useContext(OrgContext);
  if (!context) throw new Error('useOrgContext needs an OrgContext.');
  const { id, role } = context.organization;
  return { ...context, root: `/${id}`, hasRole: (requiredRole) => hasRole(role, requiredRole) };
};
