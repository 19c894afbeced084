// Signs whom a page may open the widget for, so that the page's user cannot choose another user or connection.
import { createHmac } from 'node:crypto';

export type SignedUser = {
  /** Your own id of the signed-in user; without it, the user is anonymous. */
  externalUserId?: string;
  /** This user's connection, if the widget reconnects one. */
  connectionId?: string;
  /** When it is signed; by default now. */
  at?: Date;
};

/**
 * The `userSignature` with which the widget is opened for this user, valid for ten minutes. It holds for exactly these
 * two ids. Throws a TypeError for an empty secret or an invalid connection id.
 */
export const signUser = (identitySecret: string, user: SignedUser): string => {
  const { externalUserId = '', connectionId = '', at = new Date() } = user;
  if (!identitySecret) throw new TypeError('identitySecret must not be empty.');
  // The ids are joined by dots: one inside the connection id could make another user's id of the rest.
  if (!/^(con_\w+)?$/.test(connectionId)) throw new TypeError('connectionId must be a connection id, con_….');
  const time = Math.floor(at.getTime() / 1000);
  const hmac = createHmac('sha256', identitySecret).update(`${time}.${connectionId}.${externalUserId}`);
  return `t=${time},v1=${hmac.digest('hex')}`;
};
