// The worker's signature confirms that a public key, application and external user id belong to an end user. Nothing is sealed
// to a public key without a valid signature, because anyone with write access to the database could replace the key.
import type { EndUserRow } from '../../platform/db/tables.ts';
import type { PublicKey } from '../../platform/vault/keys.ts';
import type { Keyset } from '../../platform/vault/keyset.ts';
import {
  type SigningKeys,
  type Statement,
  signStatement,
  verifyStatement,
} from '../../platform/vault/sign.ts';

type SignedEndUser = Pick<EndUserRow, 'endUserId' | 'applicationId' | 'externalUserId' | 'publicKey'>;

const statementOf = ({ endUserId, applicationId, externalUserId, publicKey }: SignedEndUser): Statement => [
  'end user v1',
  endUserId,
  applicationId,
  externalUserId,
  publicKey.toString('base64url'),
];

/** Signs a new end user. */
export const signEndUser = (user: SignedEndUser, keys: SigningKeys): Buffer =>
  signStatement(statementOf(user), keys);

/** Throws InvalidSignature if a signed value of the row was changed. */
export const verifyEndUser = (
  user: SignedEndUser & { signature: Uint8Array },
  signingKeys: Keyset<PublicKey>,
): void => verifyStatement(statementOf(user), user.signature, signingKeys);

/** Re-signed when the `row-signing` secret is rotated. */
export const signed = {
  table: 'end_users',
  key: ['endUserId'],
  column: 'signature',
  madeWith: ['applicationId', 'externalUserId', 'publicKey'],
  statementOf,
} as const;
