// The role that each operation requires. Handlers do not check it again. The compiler checks that no operation is missing;
// a test calls each of them with every role.
import type { operations as Contract } from '../../../../generated/management.ts';
import type { Role } from '../../../domain/members/member.ts';

/**
 * `anyone` needs no session, `any_session` also accepts one that lacks a passkey that an organization requires; `member` and
 * the roles do not. A role is the lowest one, in the organization of the path.
 */
export type RequiredRole = 'anyone' | 'any_session' | 'member' | Role;

export const requiredRole = {
  getSignInOptions: 'anyone',
  signIn: 'anyone',
  startPasskeySignIn: 'anyone',
  signInWithPasskey: 'anyone',
  startOidcSignIn: 'anyone',
  getInvitation: 'anyone',
  acceptInvitation: 'anyone',
  resetPassword: 'anyone',

  getSession: 'any_session',
  signOut: 'any_session',
  startPasskeyRegistration: 'any_session',
  addPasskey: 'any_session',

  updateProfile: 'member',
  changePassword: 'member',
  listSessions: 'member',
  endSession: 'member',
  endOtherSessions: 'member',
  listPasskeys: 'member',
  removePasskey: 'member',

  listMembers: 'viewer',
  renameOrganization: 'owner',
  getCompany: 'viewer',
  setCompany: 'owner',
  setPasskeyRequirement: 'owner',
  changeMemberRole: 'owner',
  removeMember: 'owner',
  createResetLink: 'owner',
  listInvitations: 'owner',
  createInvitation: 'owner',
  revokeInvitation: 'owner',

  listOrganizationTokens: 'owner',
  createOrganizationToken: 'owner',
  revokeOrganizationToken: 'owner',

  listApplications: 'viewer',
  getApplication: 'viewer',
  getConsentText: 'viewer',
  createApplication: 'developer',
  updateApplication: 'developer',
  archiveApplication: 'owner',
  restoreApplication: 'owner',
  getRateLimit: 'viewer',
  setRateLimit: 'owner',
  setApplicationLogo: 'developer',
  removeApplicationLogo: 'developer',
  createIdentitySecret: 'developer',
  listApiKeys: 'viewer',
  createApiKey: 'developer',
  revokeApiKey: 'developer',

  search: 'viewer',
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
