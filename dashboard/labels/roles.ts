// The label of each role, and a sentence on what it may do.
import type { Role } from '../api/session.ts';

export const roleLabels: Record<Role, { label: string; hint: string }> = {
  owner: { label: 'Owner', hint: 'Everything, including members and the audit log.' },
  developer: {
    label: 'Developer',
    hint: 'Applications, API keys, connections and the sandbox; not members.',
  },
  viewer: { label: 'Viewer', hint: 'Sees everything except the audit log; changes nothing.' },
};

export const roles: Role[] = ['viewer', 'developer', 'owner'];

export const roleOptions = roles.map((value) => ({ value, ...roleLabels[value] }));
