// The current organization; a menu to switch if the member has more than one.
import { Button, Menu, MenuItem, MenuTrigger, Popover, Text } from 'react-aria-components';
import { useLocation } from 'wouter';
import { Avatar } from '../components/Avatar.tsx';
import { Check, ChevronsUpDown } from '../components/icons.tsx';
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
    <MenuTrigger>
      <Button className="button ghost switcher">
        <span className="visually-hidden">Organization: </span>
        {name}
        <ChevronsUpDown size={16} aria-hidden="true" />
      </Button>
      <Popover className="popover">
        <Menu
          className="menu-list"
          aria-label="Organizations"
          items={session.organizations}
          onAction={(id) => navigate(`/${id}/overview`)}
        >
          {(other) => (
            <MenuItem id={other.id} className="item" textValue={other.name}>
              <Avatar name={other.name} />
              <Text slot="label">{other.name}</Text>
              {other.id === organization.id && <Check className="check" size={16} aria-label="Chosen" />}
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
};
