// Members: the users of the dashboard, with a role in each of their organizations.

/** From the most to the least powerful. */
export const roles = ['owner', 'developer', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** Whether `role` is the required role or a more powerful one. */
export const hasRole = (role: Role, required: Role): boolean =>
  roles.indexOf(role) <= roles.indexOf(required);

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

/** The IP address and the browser's name of a request. */
export type ClientInfo = { address: string; browser: string };

/** The form in which emails are stored and compared: NFC, lower case, without surrounding spaces. */
export const normalizeEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase();
