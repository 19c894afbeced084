// A body for each operation of the dashboard's API that needs one: well-formed, but with unknown challenges and links.
import type { operations } from '../../../generated/management.ts';
import { addMilliseconds, days } from '../../../src/platform/values/clock.ts';
import { password } from './users.ts';

/** Counted from the current time, at which services in tests start. */
export const inDays = (count: number): string => addMilliseconds(new Date(), days(count)).toISOString();

const challengeId = 'a'.repeat(43);

/** A URL at which nothing listens. */
export const endpointUrl = 'http://127.0.0.1:9/webhooks';

export const requestBodies: Partial<Record<keyof operations, object>> = {
  signIn: { email: 'who@example.com', password: 'wrong' },
  signInWithPasskey: { challengeId, response: { id: 'none' } },
  getInvitation: { token: 'none' },
  acceptInvitation: { token: 'none' },
  resetPassword: { token: 'none', password },
  updateProfile: { name: 'Renamed' },
  changePassword: { currentPassword: password, newPassword: password },
  startPasskeyRegistration: { password },
  setPasskeyRequirement: { isRequired: true, confirmation: { challengeId, response: { id: 'none' } } },
  addPasskey: { challengeId, name: 'Key', response: {} },
  renameOrganization: { name: 'Tests' },
  setCompany: { name: 'Tests Ltd' },
  changeMemberRole: { role: 'viewer' },
  createInvitation: { email: 'new@example.com', role: 'viewer' },
  createOrganizationToken: { name: 'CI', role: 'viewer', scopes: ['read'], expiresAt: inDays(30) },
  createApplication: { name: 'Another', environment: 'sandbox' },
  updateApplication: { nativeAllowed: true },
  setRateLimit: { requestsPerMinute: 600 },
  createApiKey: { name: 'Key' },
  createWebhookEndpoint: { url: endpointUrl },
  advanceSandboxClock: { seconds: 1 },
};
