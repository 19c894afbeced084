// Labels for roles, with a sentence about their permissions.
import type { Role } from '../api/session.ts';

export const roleLabels: Record<Role, { label: string; hint: string }> = {
  owner: { label: 'Owner', hint: 'Full access, including members and the audit log.' },
  developer: {
    label: 'Developer',
    hint: 'Manages applications, API keys, connections and the sandbox, but not members.',
  },
  viewer: { label: 'Viewer', hint: 'Read-only access to everything except the audit log.' },
};

export const roles: Role[] = ['viewer', 'developer', 'owner'];

export const roleOptions = roles.map((value) => ({ value, ...roleLabels[value] }));
