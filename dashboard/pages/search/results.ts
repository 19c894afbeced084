// Groups the results of a search: pages, and objects that the service found.
import type { Schemas } from '../../api/apiClient.ts';
import type { Role } from '../../api/session.ts';
import { stateLabels } from '../../labels/connections.ts';
import { navigationItems } from '../../shell/navigationItems.ts';
import { environmentLabels } from '../../shell/useEnvironment.ts';

export type SearchItem = { key: string; label: string; details: string; to: string };
export type SearchGroup = { heading: string; items: SearchItem[] };

type Found = Schemas['SearchResults'];
type Place = { root: string; applications: readonly Schemas['Application'][] };

const stateNames = { active: '', expired: ' · expired', revoked: ' · revoked' };

/** The pages in the navigation whose name contains `text`. */
export const pageGroup = (
  text: string,
  { root, hasRole }: { root: string; hasRole: (role: Role) => boolean },
): SearchGroup => ({
  heading: 'Pages',
  items: [
    ...navigationItems.filter(({ requiredRole }) => hasRole(requiredRole)),
    { to: 'account', label: 'Your account' },
  ]
    .filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()))
    .map(({ to, label }) => ({
      key: to,
      label,
      details: '',
      to: to === 'account' ? '/account' : `${root}/${to}`,
    })),
});

/** The objects that the service found, without empty groups. */
export const foundGroups = (found: Found, { root, applications }: Place): SearchGroup[] => {
  const nameOf = (id: string) => applications.find((one) => one.id === id)?.name ?? '';
  const pathOf = (id: string) => `${root}/applications/${id}`;
  const groups: SearchGroup[] = [
    {
      heading: 'Applications',
      items: found.applications.map(({ id, name, environment, archivedAt }) => ({
        key: id,
        label: name,
        details: environmentLabels[environment] + (archivedAt ? ' · archived' : ''),
        to: pathOf(id),
      })),
    },
    {
      heading: 'Connections',
      items: found.connections.map(({ applicationId, connection }) => ({
        key: connection.id,
        label: connection.externalUserId ?? connection.id,
        details: `${connection.institution.name} · ${stateLabels[connection.state].label} · ${nameOf(applicationId)}`,
        to: `${pathOf(applicationId)}/connections/${connection.id}`,
      })),
    },
    {
      heading: 'API keys',
      items: found.apiKeys.map(({ applicationId, apiKey }) => ({
        key: apiKey.id,
        label: apiKey.name,
        details: nameOf(applicationId) + stateNames[apiKey.state],
        to: `${pathOf(applicationId)}/api-keys`,
      })),
    },
    {
      heading: 'Requests',
      items: found.requests.map(({ applicationId, requestId, operation, status }) => ({
        key: requestId,
        label: requestId,
        details: `${operation} · ${status} · ${nameOf(applicationId)}`,
        to: `${root}/requests?application=${applicationId}&request=${requestId}`,
      })),
    },
  ];
  return groups.filter(({ items }) => items.length > 0);
};
