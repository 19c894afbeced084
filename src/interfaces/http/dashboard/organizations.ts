// An organization's name, company, members and invitations.
import type { components } from '../../../../generated/management.ts';
import {
  findCompany,
  renameOrganization as rename,
  updateCompany,
} from '../../../domain/applications/store.ts';
import { audited } from '../../../domain/audit/store.ts';
import { invite, revokeInvitation as withdraw } from '../../../domain/members/invitations.ts';
import { changeRole as change, removeMember as remove } from '../../../domain/members/membership.ts';
import { changePasskeyRequirement } from '../../../domain/members/passkeys.ts';
import { createResetLinkAsOwner } from '../../../domain/members/passwords.ts';
import { findMembers } from '../../../domain/members/store.ts';
import { findInvitations, type MemberToken } from '../../../domain/members/tokenStore.ts';
import { type Company, isPolicyUrl } from '../../../platform/values/company.ts';
import { NotFound, ValidationError } from '../../../platform/values/errors.ts';
import { memberOf, type Operation } from './authenticate.ts';

export const renameOrganization: Operation<'renameOrganization'> = async (
  { body, organizationId, by },
  { db },
) => {
  const name = body.name.trim();
  await audited(db, by, async (trx) => {
    const isRenamed = await rename(trx, organizationId, name);
    return isRenamed ? { action: 'organization_renamed', details: { name } } : undefined;
  });
  return { id: organizationId, name };
};

export const getCompany: Operation<'getCompany'> = async ({ organizationId }, { db }) =>
  (await findCompany(db.read, organizationId)) ?? {};

export const setCompany: Operation<'setCompany'> = async ({ body, organizationId, by }, { db }) => {
  const company = readCompany(body);
  await audited(db, by, async (trx) => {
    await updateCompany(trx, organizationId, company);
    return { action: 'company_changed', details: company };
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
  { body, by, signedIn },
  { members },
) => changePasskeyRequirement(members, memberOf({ signedIn }), body, by);

export const listMembers: Operation<'listMembers'> = async ({ organizationId }, { db }) => ({
  members: await findMembers(db.read, organizationId),
});

export const changeMemberRole: Operation<'changeMemberRole'> = async (
  { path, body, organizationId, by },
  { members, db },
) => {
  await change(members, { memberId: path.memberId, role: body.role }, by);
  const [member] = await findMembers(db.write, organizationId, path.memberId);
  if (!member) throw new NotFound('member');
  return member;
};

export const removeMember: Operation<'removeMember'> = async ({ path, by }, { members }) =>
  remove(members, path.memberId, by);

export const createResetLink: Operation<'createResetLink'> = async ({ path, signedIn, by }, { members }) => {
  const made = await createResetLinkAsOwner(members, memberOf({ signedIn }), path.memberId, by);
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

export const createInvitation: Operation<'createInvitation'> = async ({ body, by }, { members }) => {
  const { memberToken, url } = await invite(members, body, by);
  return { invitation: invitationToJson(memberToken), link: url };
};

export const revokeInvitation: Operation<'revokeInvitation'> = async ({ path, by }, { members }) =>
  withdraw(members, path.invitationId, by);
