// Members: the users of the dashboard, with a role in each of their organizations.

import type { MemberRow, MemberSessionRow, MembershipRow } from '../db/tables.ts';

/** From the most to the least powerful. */
export const roles = ['owner', 'developer', 'viewer'] as const satisfies MembershipRow['role'][];
export type Role = MembershipRow['role'];

/** Whether `role` is the required role or a more powerful one. */
export const hasRole = (role: Role, required: Role): boolean =>
  roles.indexOf(role) <= roles.indexOf(required);

export type Member = MemberRow;

export type SignInMethod = MemberSessionRow['method'];

/** The IP address and the browser's name of a request. */
export type ClientInfo = { address: string; browser: string };

/** The form in which emails are stored and compared: NFC, lower case, without surrounding spaces. */
export const normalizeEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase();
