// The role that each operation requires. Handlers do not check it again. The compiler checks that no operation is missing;
// a test calls each of them with every role.
import type { operations as Contract } from '../../../generated/dashboard.ts';
import type { Role } from '../../members/member.ts';

/** `anyone` needs no session, `member` any session; a role is the lowest one, in the organization of the path. */
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
  getCompany: 'viewer',
  setCompany: 'owner',
  changeMemberRole: 'owner',
  removeMember: 'owner',
  createResetLink: 'owner',
  listInvitations: 'owner',
  createInvitation: 'owner',
  revokeInvitation: 'owner',

  listApplications: 'viewer',
  getApplication: 'viewer',
  getConsentText: 'viewer',
  createApplication: 'developer',
  updateApplication: 'developer',
  archiveApplication: 'owner',
  restoreApplication: 'owner',
  setApplicationLogo: 'developer',
  removeApplicationLogo: 'developer',
  createIdentitySecret: 'developer',
  listApiKeys: 'viewer',
  createApiKey: 'developer',
  revokeApiKey: 'developer',

  listInstitutions: 'viewer',
  getOverview: 'viewer',
  listConnections: 'viewer',
  getConnection: 'viewer',
  listConsents: 'viewer',
  refreshConnection: 'developer',
  revokeConnection: 'developer',

  listLinkSessions: 'viewer',
  getLinkSessionStatistics: 'viewer',

  listRequests: 'viewer',

  listWebhookEndpoints: 'viewer',
  createWebhookEndpoint: 'developer',
  deleteWebhookEndpoint: 'developer',
  enableWebhookEndpoint: 'developer',
  rotateWebhookSecret: 'developer',
  sendTestWebhook: 'developer',
  listWebhookDeliveries: 'viewer',
  replayWebhook: 'developer',
  replayFailedWebhooks: 'developer',

  listSimplefinAccesses: 'viewer',
  revokeSimplefinAccess: 'developer',

  getSandbox: 'viewer',
  advanceSandboxClock: 'developer',
  loadSandboxFile: 'developer',
  breakSandboxCredentials: 'developer',

  listAuditEvents: 'owner',
  exportAuditEvents: 'owner',
} as const satisfies Record<keyof Contract, RequiredRole>;
