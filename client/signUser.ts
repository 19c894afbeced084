// Signs whom a page may open the widget for, so that the page's user cannot choose another user or connection.
import { createHmac } from 'node:crypto';
import { check, checkObject } from './usageError.ts';

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
 * two ids. Throws UsageError for an empty secret or an invalid connection id.
 */
export const signUser = (identitySecret: string, user: SignedUser): string => {
  checkObject(user, 'user must be an object, such as { externalUserId }.');
  const { externalUserId = '', connectionId = '', at = new Date() } = user;
  const isGiven = typeof identitySecret === 'string' && identitySecret !== '';
  check(isGiven, 'identitySecret must not be empty: the secret is missing.');
  // The ids are joined by dots: one inside the connection id could make another user's id of the rest.
  check(/^(con_\w+)?$/.test(connectionId), 'connectionId must be a connection id, con_….');
  check(Number.isFinite(at.getTime()), 'at must be a valid date.');
  const time = Math.floor(at.getTime() / 1000);
  const hmac = createHmac('sha256', identitySecret).update(`${time}.${connectionId}.${externalUserId}`);
  return `t=${time},v1=${hmac.digest('hex')}`;
};
