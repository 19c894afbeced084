// Where the reader is: whose session, in which organization, and what their role lets them do there.
import { createContext, useContext } from 'react';
import { mayAct, type OwnOrganization, type Role, type Session } from '../service/session.ts';

export type Place = { session: Session; organization: OwnOrganization };

export const PlaceContext = createContext<Place | undefined>(undefined);

type Here = Place & {
  /** The beginning of every address in this organization. */
  root: string;
  may: (needed: Role) => boolean;
};

/** Only inside of an organization's pages. */
export const usePlace = (): Here => {
  const place = useContext(PlaceContext);
  if (!place) throw new Error('This page is shown outside of an organization.');
  const { id, role } = place.organization;
  return { ...place, root: `/${id}`, may: (needed) => mayAct(role, needed) };
};
