// The navigation of an organization; items that the role may not see are left out.
import { Link, useLocation } from 'wouter';
import type { Role } from '../api/session.ts';
import {
  Activity,
  AppWindow,
  ArrowLeftRight,
  FlaskConical,
  type Icon,
  Landmark,
  Link2,
  ScrollText,
  Share2,
  Users,
  Webhook,
} from '../components/icons.tsx';
import { loadPages } from './lazyPage.ts';
import { useOrgContext } from './orgContext.ts';

const navigationItems: { to: string; label: string; icon: Icon; requiredRole: Role }[] = [
  { to: 'overview', label: 'Overview', icon: Activity, requiredRole: 'viewer' },
  { to: 'connections', label: 'Connections', icon: Landmark, requiredRole: 'viewer' },
  { to: 'link-sessions', label: 'Link sessions', icon: Link2, requiredRole: 'viewer' },
  { to: 'requests', label: 'Requests', icon: ArrowLeftRight, requiredRole: 'viewer' },
  { to: 'webhooks', label: 'Webhooks', icon: Webhook, requiredRole: 'viewer' },
  { to: 'simplefin', label: 'SimpleFIN', icon: Share2, requiredRole: 'viewer' },
  { to: 'applications', label: 'Applications', icon: AppWindow, requiredRole: 'viewer' },
  { to: 'sandbox', label: 'Sandbox tools', icon: FlaskConical, requiredRole: 'viewer' },
  { to: 'members', label: 'Members', icon: Users, requiredRole: 'viewer' },
  { to: 'audit', label: 'Audit log', icon: ScrollText, requiredRole: 'owner' },
];

export const Navigation = () => {
  const { root, hasRole } = useOrgContext();
  const [path] = useLocation();
  return (
    <nav className="nav" aria-label="Organization">
      {navigationItems
        .filter(({ requiredRole }) => hasRole(requiredRole))
        .map(({ to, label, icon: Icon }) => (
          <Link
            key={to}
            to={`${root}/${to}`}
            onPointerEnter={loadPages}
            onFocus={loadPages}
            aria-current={isCurrentSection(path, root, to) ? 'page' : undefined}
          >
            <Icon size={18} aria-hidden="true" />
            {label}
          </Link>
        ))}
    </nav>
  );
};

/** The paths of a connection and of a webhook endpoint are below their application's path, but have sections of their own. */
const isCurrentSection = (path: string, root: string, to: string): boolean => {
  const below = /\/applications\/[^/]+\/(connections|webhooks)\//.exec(path)?.[1];
  const section = below ?? path.slice(root.length + 1).split('/')[0];
  return path.startsWith(`${root}/`) && section === to;
};
