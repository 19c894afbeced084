// An organization's name, members and invitations.
import { renameOrganization as rename } from '../../applications/store.ts';
import { record } from '../../audit/record.ts';
import { NotFound } from '../../errors.ts';
import { invite, withdrawInvitation as withdraw } from '../../members/invitations.ts';
import { changeRole as change, removeMember as remove } from '../../members/membership.ts';
import { makeResetLink } from '../../members/resets.ts';
import { findInvitations, findMembers, type Link } from '../../members/store.ts';
import type { Operation } from './operation.ts';

export const renameOrganization: Operation<'renameOrganization'> = async (
  { body, organizationId, by },
  { db, clock },
) => {
  const name = body.name.trim();
  await db.transaction(async (trx) => {
    await rename(trx, organizationId, name);
    const now = clock.real();
    await record(trx, { organizationId, now, action: 'organization_renamed', by, details: { name } });
  });
  return { id: organizationId, name };
};

export const listMembers: Operation<'listMembers'> = async ({ organizationId }, { db }) => ({
  members: await findMembers(db.read, organizationId),
});

export const changeRole: Operation<'changeRole'> = async ({ path, body, organizationId, by }, service) => {
  const { members, db } = service;
  await change(members, { organizationId, memberId: path.memberId }, { role: body.role, by });
  const [member] = await findMembers(db.write, organizationId, path.memberId);
  if (!member) throw new NotFound('member');
  return member;
};

export const removeMember: Operation<'removeMember'> = async ({ path, organizationId, by }, { members }) =>
  remove(members, { organizationId, memberId: path.memberId }, by);

export const createResetLink: Operation<'createResetLink'> = async (
  { path, organizationId, by },
  service,
) => {
  const made = await makeResetLink(service.members, { organizationId, memberId: path.memberId, by });
  return { link: made.address, expiresAt: made.link.expiresAt };
};

const shown = ({ id, email, role, createdAt, expiresAt }: Link) => ({
  id,
  email,
  role: role!,
  createdAt,
  expiresAt,
});

export const listInvitations: Operation<'listInvitations'> = async ({ organizationId }, { db, clock }) => {
  const invitations = await findInvitations(db.read, { organizationId }, clock.real().toISOString());
  return { invitations: invitations.map(shown) };
};

export const createInvitation: Operation<'createInvitation'> = async (
  { body, organizationId, by },
  { members },
) => {
  const { link, address } = await invite(members, { organizationId, ...body, by });
  return { invitation: shown(link), link: address };
};

export const withdrawInvitation: Operation<'withdrawInvitation'> = async (
  { path, organizationId, by },
  { members },
) => withdraw(members, { organizationId, id: path.invitationId, by });
