// Signs the user and the connection for which a page may open the widget, so that users of the page cannot choose others.
import { createHmac } from 'node:crypto';
import { check, checkObject } from './usageError.ts';

export type SignedUser = {
  /** Your own id for the signed-in user; without it, the user is anonymous. */
  externalUserId?: string;
  /** This user's connection, if the widget reconnects one. */
  connectionId?: string;
  /** The time of signing; by default now. */
  at?: Date;
};

/**
 * The `userSignature` for opening the widget for this user. It is valid for ten minutes, and only for exactly these two ids.
 * Throws UsageError for an empty secret or an invalid connection id.
 */
export const signUser = (identitySecret: string, user: SignedUser): string => {
  checkObject(user, 'user must be an object, such as { externalUserId }.');
  const { externalUserId = '', connectionId = '', at = new Date() } = user;
  const isGiven = typeof identitySecret === 'string' && identitySecret !== '';
  check(isGiven, 'identitySecret must not be empty: the secret is missing.');
  // Dots join the ids: a dot inside the connection id could turn the rest into another user's id.
  check(/^(con_\w+)?$/.test(connectionId), 'connectionId must be a connection id, con_….');
  check(Number.isFinite(at.getTime()), 'at must be a valid date.');
  const time = Math.floor(at.getTime() / 1000);
  const hmac = createHmac('sha256', identitySecret).update(`${time}.${connectionId}.${externalUserId}`);
  return `t=${time},v1=${hmac.digest('hex')}`;
};
