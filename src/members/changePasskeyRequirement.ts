// An owner requires passkeys of an organization's members, or no longer. The owner confirms with a passkey of their own: so
// the owner has one that works, and nobody else can switch it in a session that was left open.
import { type Actor, recordAuditEvent } from '../audit/store.ts';
import { Forbidden, NotSignedIn } from '../errors.ts';
import type { MemberDeps } from './deps.ts';
import { isSufficient } from './passkeyRequirement.ts';
import { authenticatePasskey, type PasskeyResponse } from './passkeys.ts';
import { updateSessionMethod } from './sessionStore.ts';
import type { AuthenticatedMember } from './sessions.ts';
import { updatePasskeysRequiredAt } from './store.ts';

export type PasskeyRequirementChange = {
  organizationId: string;
  isRequired: boolean;
  confirmation: PasskeyResponse;
  actor: Actor;
};

/** Changes whether members need a passkey. Throws Forbidden if the confirmation is not by a passkey of the member. */
export const changePasskeyRequirement = async (
  deps: MemberDeps,
  signedIn: AuthenticatedMember,
  { organizationId, isRequired, confirmation, actor }: PasskeyRequirementChange,
): Promise<void> => {
  await confirmByPasskey(deps, signedIn, confirmation);
  const now = deps.clock.real();
  await deps.db.transaction(async (trx) => {
    // Else the owner's own session would be limited.
    if (!isSufficient(signedIn.session.method))
      await updateSessionMethod(trx, signedIn.session.id, 'passkey');
    if (!(await updatePasskeysRequiredAt(trx, organizationId, isRequired ? now.toISOString() : null))) return;
    await recordAuditEvent(trx, {
      organizationId,
      now,
      action: 'passkey_requirement_changed',
      actor,
      details: isRequired ? { before: 'no', after: 'yes' } : { before: 'yes', after: 'no' },
    });
  });
};

const confirmByPasskey = async (
  deps: MemberDeps,
  { member }: AuthenticatedMember,
  confirmation: PasskeyResponse,
): Promise<void> => {
  try {
    const owner = await authenticatePasskey(deps, confirmation);
    if (owner.id !== member.id) throw new Forbidden();
  } catch (error) {
    throw error instanceof NotSignedIn ? new Forbidden() : error;
  }
};
