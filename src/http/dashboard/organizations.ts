// An organization's name, members and invitations.
import { renameOrganization as rename } from '../../applications/store.ts';
import { recordAuditEvent } from '../../audit/store.ts';
import { NotFound } from '../../errors.ts';
import { invite, revokeInvitation as withdraw } from '../../members/invitations.ts';
import { changeRole as change, removeMember as remove } from '../../members/membership.ts';
import { createResetLinkAsOwner } from '../../members/passwordResets.ts';
import { findInvitations, findMembers, type MemberToken } from '../../members/store.ts';
import type { Operation } from './operation.ts';

export const renameOrganization: Operation<'renameOrganization'> = async (
  { body, organizationId, actor },
  { db, clock },
) => {
  const name = body.name.trim();
  await db.transaction(async (trx) => {
    await rename(trx, organizationId, name);
    const now = clock.real();
    await recordAuditEvent(trx, {
      organizationId,
      now,
      action: 'organization_renamed',
      actor,
      details: { name },
    });
  });
  return { id: organizationId, name };
};

export const listMembers: Operation<'listMembers'> = async ({ organizationId }, { db }) => ({
  members: await findMembers(db.read, organizationId),
});

export const changeMemberRole: Operation<'changeMemberRole'> = async (
  { path, body, organizationId, actor },
  service,
) => {
  const { members, db } = service;
  await change(members, { organizationId, memberId: path.memberId }, { role: body.role, actor });
  const [member] = await findMembers(db.write, organizationId, path.memberId);
  if (!member) throw new NotFound('member');
  return member;
};

export const removeMember: Operation<'removeMember'> = async ({ path, organizationId, actor }, { members }) =>
  remove(members, { organizationId, memberId: path.memberId }, actor);

export const createResetLink: Operation<'createResetLink'> = async (
  { path, organizationId, actor },
  service,
) => {
  const made = await createResetLinkAsOwner(service.members, {
    organizationId,
    memberId: path.memberId,
    actor,
  });
  return { link: made.url, expiresAt: made.memberToken.expiresAt };
};

const invitationToJson = ({ id, email, role, createdAt, expiresAt }: MemberToken) => ({
  id,
  email,
  role: role!,
  createdAt,
  expiresAt,
});

export const listInvitations: Operation<'listInvitations'> = async ({ organizationId }, { db, clock }) => {
  const invitations = await findInvitations(db.read, { organizationId }, clock.real().toISOString());
  return { invitations: invitations.map(invitationToJson) };
};

export const createInvitation: Operation<'createInvitation'> = async (
  { body, organizationId, actor },
  { members },
) => {
  const { memberToken, url } = await invite(members, { organizationId, ...body, actor });
  return { invitation: invitationToJson(memberToken), link: url };
};

export const revokeInvitation: Operation<'revokeInvitation'> = async (
  { path, organizationId, actor },
  { members },
) => withdraw(members, { organizationId, id: path.invitationId, actor });
