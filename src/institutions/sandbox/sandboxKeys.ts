// The key of each organization's sandbox data: random, and sealed with the service's sandbox secret, so that a rotation of the
// secret seals a few keys anew and not all data.
import type { Database } from '../../db/open.ts';
import { CorruptData } from '../../errors.ts';
import { deriveKey } from '../../vault/keys.ts';
import type { Keyset } from '../../vault/keyset.ts';
import { type AssociatedData, makeDataKey, seal, unseal } from '../../vault/seal.ts';
import { findSandboxKey, insertSandboxKey } from './store.ts';

/** Every fingerprint contains the organization, and every sealed record is bound to it. */
export type SandboxKeys = { organizationId: string; sealing: Buffer; fingerprints: Buffer };

const sealingKey = (secret: Buffer): Buffer => deriveKey(secret, 'sandbox keys v1');

const encodeKey = (key: Buffer): string => key.toString('base64url');

const boundTo = (organizationId: string): AssociatedData => ['sandbox key', organizationId];

/** The keys of an organization, which are made when it needs them first. Throws CorruptData if no secret unseals them. */
export const openSandboxKeys = async (
  db: Database,
  secrets: Keyset<Buffer>,
  organizationId: string,
): Promise<SandboxKeys> => {
  const sealed =
    (await findSandboxKey(db.read, organizationId)) ?? (await createSandboxKey(db, secrets, organizationId));
  const { key } = unsealSandboxKey(sealed, secrets, organizationId);
  return {
    organizationId,
    sealing: deriveKey(key, 'sandbox sealing v1'),
    fingerprints: deriveKey(key, 'sandbox fingerprints v1'),
  };
};

const createSandboxKey = (db: Database, secrets: Keyset<Buffer>, organizationId: string): Promise<Buffer> =>
  secrets.withCurrent(async ({ key: secret }) => {
    const sealed = seal(encodeKey(makeDataKey()), sealingKey(secret), boundTo(organizationId));
    await insertSandboxKey(db.write, { organizationId, sealed });
    // Another process may have been first.
    return (await findSandboxKey(db.write, organizationId))!;
  });

const unsealSandboxKey = (
  sealed: Buffer,
  secrets: Keyset<Buffer>,
  organizationId: string,
): { key: Buffer; isCurrent: boolean } => {
  for (const [index, secret] of secrets.all().entries()) {
    try {
      return {
        key: Buffer.from(unseal(sealed, sealingKey(secret), boundTo(organizationId)), 'base64url'),
        isCurrent: index === 0,
      };
    } catch (error) {
      if (!(error instanceof CorruptData)) throw error;
    }
  }
  throw new CorruptData('A sandbox key cannot be unsealed.');
};

/** Seals a key with the current secret; undefined if it is already. Throws CorruptData if no secret unseals it. */
export const resealSandboxKey = (
  { organizationId, sealed }: { organizationId: string; sealed: Buffer },
  secrets: Keyset<Buffer>,
): Buffer | undefined => {
  const { key, isCurrent } = unsealSandboxKey(sealed, secrets, organizationId);
  return isCurrent ? undefined : seal(encodeKey(key), sealingKey(secrets.current()), boundTo(organizationId));
};
