// The ways through an organization. What a role may not see has no way there.

import { Link, useLocation } from 'wouter';
import type { Role } from '../api/session.ts';
import {
  Activity,
  AppWindow,
  FlaskConical,
  type Icon,
  Landmark,
  ScrollText,
  Users,
} from '../components/icons.tsx';
import { useOrgContext } from './orgContext.ts';

const navigationItems: { to: string; label: string; picture: Icon; needs: Role }[] = [
  { to: 'overview', label: 'Overview', picture: Activity, needs: 'viewer' },
  { to: 'connections', label: 'Connections', picture: Landmark, needs: 'viewer' },
  { to: 'applications', label: 'Applications', picture: AppWindow, needs: 'viewer' },
  { to: 'sandbox', label: 'Sandbox tools', picture: FlaskConical, needs: 'viewer' },
  { to: 'members', label: 'Members', picture: Users, needs: 'viewer' },
  { to: 'audit', label: 'Audit log', picture: ScrollText, needs: 'owner' },
];

export const Navigation = () => {
  const { root, hasRole } = useOrgContext();
  const [path] = useLocation();
  return (
    <nav className="nav" aria-label="Organization">
      {navigationItems
        .filter(({ needs }) => hasRole(needs))
        .map(({ to, label, picture: Picture }) => (
          <Link key={to} to={`${root}/${to}`} aria-current={isWithin(path, root, to) ? 'page' : undefined}>
            <Picture size={18} aria-hidden="true" />
            {label}
          </Link>
        ))}
    </nav>
  );
};

/** A connection's page stands below its application in the address, and belongs to the connections all the same. */
const isWithin = (path: string, root: string, to: string): boolean => {
  const section = /\/applications\/[^/]+\/connections\//.test(path)
    ? 'connections'
    : path.slice(root.length + 1).split('/')[0];
  return path.startsWith(`${root}/`) && section === to;
};
