// What a member must be to ask for each operation: the one place where that is said, and no handler asks again. The
// compiler checks that no operation is missing; a test tries each of them as everybody.
import type { operations as Contract } from '../../../generated/dashboard.ts';
import type { Role } from '../../members/member.ts';

/** Anyone takes no session, member takes any; a role is the least one, in the organization that is asked about. */
export type RequiredRole = 'anyone' | 'member' | Role;

export const requiredRole = {
  getSignIn: 'anyone',
  signIn: 'anyone',
  startPasskeySignIn: 'anyone',
  signInWithPasskey: 'anyone',
  startOpenIdSignIn: 'anyone',
  viewInvitation: 'anyone',
  acceptInvitation: 'anyone',
  resetPassword: 'anyone',

  getSession: 'member',
  signOut: 'member',
  updateMe: 'member',
  changePassword: 'member',
  listSessions: 'member',
  endSession: 'member',
  endOtherSessions: 'member',
  listPasskeys: 'member',
  startPasskey: 'member',
  addPasskey: 'member',
  removePasskey: 'member',

  listMembers: 'viewer',
  renameOrganization: 'owner',
  changeRole: 'owner',
  removeMember: 'owner',
  createResetLink: 'owner',
  listInvitations: 'owner',
  createInvitation: 'owner',
  withdrawInvitation: 'owner',

  listApplications: 'viewer',
  getApplication: 'viewer',
  createApplication: 'developer',
  updateApplication: 'developer',
  createIdentitySecret: 'developer',
  listApiKeys: 'viewer',
  createApiKey: 'developer',
  revokeApiKey: 'developer',

  listInstitutions: 'viewer',
  getOverview: 'viewer',
  listConnections: 'viewer',
  getConnection: 'viewer',
  refreshConnection: 'developer',
  revokeConnection: 'developer',

  getSandbox: 'viewer',
  moveSandboxClock: 'developer',
  loadSandboxFile: 'developer',
  breakConnection: 'developer',

  listAudit: 'owner',
  exportAudit: 'owner',
} as const satisfies Record<keyof Contract, RequiredRole>;
