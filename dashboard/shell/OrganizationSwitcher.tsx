// Which organization one is in, and the way to another. With one there is nothing to choose.
import { Check, ChevronsUpDown } from 'lucide-react';
import { Button, Menu, MenuItem, MenuTrigger, Popover, Text } from 'react-aria-components';
import { useLocation } from 'wouter';
import { Mark } from '../parts/Mark.tsx';
import { roleWords } from '../texts/roles.ts';
import { usePlace } from './place.ts';

export const OrganizationSwitcher = () => {
  const { session, organization } = usePlace();
  const [, go] = useLocation();
  const name = (
    <>
      <Mark name={organization.name} />
      <span className="name">
        <strong>{organization.name}</strong>
        <small>{roleWords[organization.role].label}</small>
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
              <Mark name={one.name} />
              <Text slot="label">{one.name}</Text>
              {one.id === organization.id && <Check className="check" size={16} aria-label="Chosen" />}
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
};
