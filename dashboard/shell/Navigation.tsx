// The navigation within an organization, without items that the role may not see.
import { Link, useLocation } from 'wouter';
import { loadPages } from './lazyPage.ts';
import { navigationItems } from './navigationItems.ts';
import { useOrgContext } from './orgContext.ts';

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

/** The paths of connections and webhook endpoints are below their application's path, but belong to separate sections. */
const isCurrentSection = (path: string, root: string, to: string): boolean => {
  const below = /\/applications\/[^/]+\/(connections|webhooks)\//.exec(path)?.[1];
  const section = below ?? path.slice(root.length + 1).split('/')[0];
  return path.startsWith(`${root}/`) && section === to;
};
