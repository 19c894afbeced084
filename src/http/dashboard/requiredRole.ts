// What a member must be to ask for each operation: the one place where that is said, and no handler asks again. The
// compiler checks that no operation is missing; a test tries each of them as everybody.
import type { operations as Contract } from '../../../generated/dashboard.ts';
import type { Role } from '../../members/member.ts';

/** Anyone takes no session, member takes any; a role is the least one, in the organization that is asked about. */
export type RequiredRole = 'anyone' | 'member' | Role;

export const requiredRole = {
  getSignInOptions: 'anyone',
  signIn: 'anyone',
  startPasskeySignIn: 'anyone',
  signInWithPasskey: 'anyone',
  startOidcSignIn: 'anyone',
  getInvitation: 'anyone',
  acceptInvitation: 'anyone',
  resetPassword: 'anyone',

  getSession: 'member',
  signOut: 'member',
  updateProfile: 'member',
  changePassword: 'member',
  listSessions: 'member',
  endSession: 'member',
  endOtherSessions: 'member',
  listPasskeys: 'member',
  startPasskeyRegistration: 'member',
  addPasskey: 'member',
  removePasskey: 'member',

  listMembers: 'viewer',
  renameOrganization: 'owner',
  changeMemberRole: 'owner',
  removeMember: 'owner',
  createResetLink: 'owner',
  listInvitations: 'owner',
  createInvitation: 'owner',
  revokeInvitation: 'owner',

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
  advanceSandboxClock: 'developer',
  loadSandboxFile: 'developer',
  breakSandboxCredentials: 'developer',

  listAuditEvents: 'owner',
  exportAuditEvents: 'owner',
} as const satisfies Record<keyof Contract, RequiredRole>;
