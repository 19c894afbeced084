// Which organization one is in, and the way to another. With one there is nothing to choose.

import { Button, Menu, MenuItem, MenuTrigger, Popover, Text } from 'react-aria-components';
import { useLocation } from 'wouter';
import { Avatar } from '../components/Avatar.tsx';
import { Check, ChevronsUpDown } from '../components/icons.tsx';
import { roleLabels } from '../labels/roles.ts';
import { useOrgContext } from './orgContext.ts';

export const OrganizationSwitcher = () => {
  const { session, organization } = useOrgContext();
  const [, go] = useLocation();
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
      <Button className="button quiet switcher">
        <span className="unseen">Organization: </span>
        {name}
        <ChevronsUpDown size={16} aria-hidden="true" />
      </Button>
      <Popover className="popover">
        <Menu
          className="listing"
          aria-label="Organizations"
          items={session.organizations}
          onAction={(id) => go(`/${id}/overview`)}
        >
          {(one) => (
            <MenuItem id={one.id} className="item" textValue={one.name}>
              <Avatar name={one.name} />
              <Text slot="label">{one.name}</Text>
              {one.id === organization.id && <Check className="check" size={16} aria-label="Chosen" />}
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
};
