// Shows the current organization, with a menu if the member has several.
import { useLocation } from 'wouter';
import type { OrganizationMembership } from '../api/session.ts';
import { Avatar } from '../components/Avatar.tsx';
import { ChevronsUpDown } from '../components/icons.tsx';
import { MenuButton } from '../components/MenuButton.tsx';
import { roleLabels } from '../labels/roles.ts';
import { useOrgContext } from './orgContext.ts';

export const OrganizationSwitcher = () => {
  const { session, organization } = useOrgContext();
  const [, navigate] = useLocation();
  const name = (
    <>
      <Avatar name={organization.name} />
      <span className="name">
        <strong>{organization.name}</strong>
        <small>{roleLabels[organization.role].label}</small>
      </span>
    </>
  );
  if (session.organizations.length === 1) {
    return (
      <div className="row switcher" style={{ flexWrap: 'nowrap' }}>
        {name}
      </div>
    );
  }
  return (
    <MenuButton
      className="button ghost switcher"
      label="Organizations"
      groups={[{ items: session.organizations.map((other) => itemOf(other, organization)) }]}
      onAction={(id) => navigate(`/${id}/overview`)}
    >
      <span className="visually-hidden">Organization: </span>
      {name}
      <ChevronsUpDown size={16} aria-hidden="true" />
    </MenuButton>
  );
};

const itemOf = ({ id, name }: OrganizationMembership, current: OrganizationMembership) => ({
  id,
  label: name,
  icon: <Avatar name={name} />,
  isChecked: id === current.id,
});
