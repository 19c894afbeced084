// Where the reader is: whose session, in which organization, and what their role lets them do there.
import { createContext, useContext } from 'react';
import { hasRole, type OrganizationMembership, type Role, type Session } from '../api/session.ts';

export type OrgContextValue = { session: Session; organization: OrganizationMembership };

export const OrgContext = createContext<OrgContextValue | undefined>(undefined);

type OrgAccess = OrgContextValue & {
  /** The beginning of every address in this organization. */
  root: string;
  hasRole: (needed: Role) => boolean;
};

/** Only inside of an organization's pages. */
export const useOrgContext = (): OrgAccess => {
  const place = useContext(OrgContext);
  if (!place) throw new Error('This page is shown outside of an organization.');
  const { id, role } = place.organization;
  return { ...place, root: `/${id}`, hasRole: (needed) => hasRole(role, needed) };
};
