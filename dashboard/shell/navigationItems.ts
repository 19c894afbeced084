// An organization's pages, with the role that each requires.
import type { Role } from '../api/session.ts';
import {
  Activity,
  AppWindow,
  ArrowLeftRight,
  FlaskConical,
  type Icon,
  KeyRound,
  Landmark,
  Link2,
  ScrollText,
  Share2,
  Users,
  Webhook,
} from '../components/icons.tsx';

export const navigationItems: { to: string; label: string; icon: Icon; requiredRole: Role }[] = [
  { to: 'overview', label: 'Overview', icon: Activity, requiredRole: 'viewer' },
  { to: 'connections', label: 'Connections', icon: Landmark, requiredRole: 'viewer' },
  { to: 'link-sessions', label: 'Link sessions', icon: Link2, requiredRole: 'viewer' },
  { to: 'requests', label: 'Requests', icon: ArrowLeftRight, requiredRole: 'viewer' },
  { to: 'webhooks', label: 'Webhooks', icon: Webhook, requiredRole: 'viewer' },
  { to: 'simplefin', label: 'SimpleFIN', icon: Share2, requiredRole: 'viewer' },
  { to: 'applications', label: 'Applications', icon: AppWindow, requiredRole: 'viewer' },
  { to: 'sandbox', label: 'Sandbox tools', icon: FlaskConical, requiredRole: 'viewer' },
  { to: 'members', label: 'Members', icon: Users, requiredRole: 'viewer' },
  { to: 'tokens', label: 'Organization tokens', icon: KeyRound, requiredRole: 'owner' },
  { to: 'audit', label: 'Audit log', icon: ScrollText, requiredRole: 'owner' },
];
