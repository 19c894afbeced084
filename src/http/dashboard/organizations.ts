// An organization's name, company, members and invitations.
import type { components } from '../../../generated/dashboard.ts';
import { findCompany, renameOrganization as rename, updateCompany } from '../../applications/store.ts';
import { recordAuditEvent } from '../../audit/store.ts';
import { type Company, isPolicyUrl } from '../../company.ts';
import { NotFound, ValidationError } from '../../errors.ts';
import { invite, revokeInvitation as withdraw } from '../../members/invitations.ts';
import { changeRole as change, removeMember as remove } from '../../members/membership.ts';
import { changePasskeyRequirement } from '../../members/passkeys.ts';
import { createResetLinkAsOwner } from '../../members/passwords.ts';
import { findInvitations, findMembers, type MemberToken } from '../../members/store.ts';
import type { Operation } from './authenticate.ts';

export const renameOrganization: Operation<'renameOrganization'> = async (
  { body, organizationId, actor },
  { db, clock },
) => {
  const name = body.name.trim();
  await db.transaction(async (trx) => {
    if (!(await rename(trx, organizationId, name))) return;
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

export const getCompany: Operation<'getCompany'> = async ({ organizationId }, { db }) =>
  (await findCompany(db.read, organizationId)) ?? {};

export const setCompany: Operation<'setCompany'> = async ({ body, organizationId, actor }, { db, clock }) => {
  const company = readCompany(body);
  const now = clock.real();
  await db.transaction(async (trx) => {
    await updateCompany(trx, organizationId, company);
    const details = { ...company };
    await recordAuditEvent(trx, { organizationId, now, action: 'company_changed', actor, details });
  });
  return company ?? {};
};

const readCompany = (body: components['schemas']['Company']): Company | undefined => {
  const { name, privacyUrl, termsUrl } = body;
  for (const [field, url] of Object.entries({ privacyUrl, termsUrl })) {
    if (url !== undefined && !isPolicyUrl(url)) throw invalidField(field, 'must be an https address');
  }
  if (name !== undefined) return { ...body, name: name.trim() };
  if (privacyUrl === undefined && termsUrl === undefined) return undefined;
  throw invalidField('name', 'must be set, because the addresses are named after it');
};

const invalidField = (field: string, message: string): ValidationError =>
  new ValidationError('invalid_request', [{ path: `/body/${field}`, message }]);

export const setPasskeyRequirement: Operation<'setPasskeyRequirement'> = async (
  { body, organizationId, actor, signedIn },
  { members },
) => changePasskeyRequirement(members, signedIn, { ...body, organizationId, actor });

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
