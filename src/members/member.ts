// Members: people who may open the dashboard. Each has a role in every organization that they belong to.

/** What a role may do, the ones after it may not. */
export const roles = ['owner', 'developer', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** Whether a role may do what this least role may. */
export const hasRole = (role: Role, least: Role): boolean => roles.indexOf(role) <= roles.indexOf(least);

export type Member = {
  id: string;
  email: string;
  name: string;
  passwordHash: string | null;
  oidcSubject: string | null;
  createdAt: string;
};

export type Membership = { organizationId: string; memberId: string; role: Role; createdAt: string };

export type SignInMethod = 'password' | 'passkey' | 'oidc' | 'invitation';

/** Where a request comes from, as far as anybody can tell. */
export type ClientInfo = { address: string; browser: string };

/** Emails are compared as they are kept: without spaces around them, in lower case. */
export const normalizeEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase();
