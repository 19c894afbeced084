// What each role is called, and what it may do, in a sentence for whoever gives it.
import type { Role } from '../api/session.ts';

export const roleLabels: Record<Role, { label: string; hint: string }> = {
  owner: { label: 'Owner', hint: 'Everything, also members and the audit log.' },
  developer: {
    label: 'Developer',
    hint: 'Applications, access keys, connections and the sandbox; no members.',
  },
  viewer: { label: 'Viewer', hint: 'Sees everything but the audit log, and changes nothing.' },
};

export const roles: Role[] = ['viewer', 'developer', 'owner'];

export const roleOptions = roles.map((value) => ({ value, ...roleLabels[value] }));
