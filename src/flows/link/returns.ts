// Handles end users returning from an institution's own page. The return URL has a one-time state, which identifies the link
// session and contains its public key. The query is sealed to that key, so only the session's page can use it. The page also
// needs the code shown to the returning end user, so tricking somebody else into signing in through a link connects nothing.
import { randomBytes } from 'node:crypto';
import { isReturnAddress } from '../../domain/applications/application.ts';
import { findActiveApplication } from '../../domain/applications/store.ts';
import { institutionOf } from '../../domain/institutions/registry.ts';
import { LinkSessionExpired } from '../../platform/values/errors.ts';
import { isId } from '../../platform/values/ids.ts';
import { constantTimeEqual, fingerprint, hashOpaqueToken } from '../../platform/vault/keys.ts';
import type { Keyset } from '../../platform/vault/keyset.ts';
import { sealBox } from '../../platform/vault/seal.ts';
import type { LinkingDeps, OpenLinkSession } from './linkSession.ts';
import * as store from './store.ts';

const publicKeyBytes = 32;
const nonceBytes = 16;

/** A new state: the session's id, its public key and random bytes. */
export const makeReturnState = (session: OpenLinkSession): string => {
  const random = Buffer.concat([session.derivePagePublicKey(), randomBytes(nonceBytes)]);
  return `${session.row.id}.${random.toString('base64url')}`;
};

/** The stored hash of a state; after its use, the hash of the state and the request's random text. */
export const hashReturn = (state: string, attempt = ''): string => hashOpaqueToken(`${state} ${attempt}`);

// Without letters and digits that look alike (Crockford's base32).
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const codeLength = 8;

const codeOf = (key: Buffer, state: string): string =>
  [...fingerprint(key, 'return code', '', [state]).subarray(0, codeLength)]
    .map((byte) => alphabet[byte % alphabet.length])
    .join('');

/** True if `typed` is the code of this state. Ignores case, spaces, hyphens and look-alikes. */
export const isReturnCode = (hashKeys: Keyset<Buffer>, state: string, typed: string): boolean => {
  const text = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  return hashKeys.all().some((key) => constantTimeEqual(Buffer.from(codeOf(key, state)), Buffer.from(text)));
};

export type AcceptedReturn = {
  /** The code to type, as `XXXX-XXXX`. */
  code: string;
  application: { name: string };
  institution: { name: string };
  /** The URL at which a native app receives the end user. */
  returnAddress?: string;
};

/**
 * Accepts a returning end user's query, once per state; a request with the same random text `attempt` may be repeated. Throws
 * LinkSessionExpired for an unknown or used state, and after the link session ends.
 */
export const acceptReturn = async (
  deps: Pick<LinkingDeps, 'db' | 'clock' | 'registry' | 'hashKeys'>,
  { state, query, attempt }: { state: string; query: string; attempt: string },
): Promise<AcceptedReturn> => {
  const [id = '', random = ''] = state.split('.');
  const row = isId('lks', id) ? await store.findLinkSession(deps.db.read, id) : undefined;
  const application = row && (await findActiveApplication(deps.db.read, row.applicationId));
  const now = deps.clock.real().toISOString();
  if (!row?.institutionId || !application || row.expiresAt <= now) throw new LinkSessionExpired();
  const publicKey = Buffer.from(random, 'base64url').subarray(0, publicKeyBytes);
  const unused = hashReturn(state);
  const used = hashReturn(state, attempt);
  if (row.returnHash === unused) {
    const change = { returnHash: used, returnSealed: sealBox(publicKey, Buffer.from(query)) };
    if (!(await store.saveReturn(deps.db.write, { id, returnHash: unused }, change)))
      throw new LinkSessionExpired();
  } else if (row.returnHash !== used) throw new LinkSessionExpired();
  const { institutionId, returnAddress } = row;
  const stored = { institutionId, institutionName: institutionId };
  const { name } = institutionOf(deps.registry, application.environment, stored);
  // The row or the application may have changed since.
  const isRegistered =
    returnAddress !== null &&
    application.returnAddresses.includes(returnAddress) &&
    isReturnAddress(returnAddress);
  const code = codeOf(deps.hashKeys.current(), state);
  return {
    code: `${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`,
    application: { name: application.name },
    institution: { name },
    ...(isRegistered && { returnAddress }),
  };
};
