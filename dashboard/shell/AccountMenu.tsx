// The member's menu: account page, theme, sign out.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  Button,
  Header,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  type Selection,
  Separator,
  Text,
} from 'react-aria-components';
import { useLocation } from 'wouter';
import { sessionQueryKey, useApiMutation } from '../api/queryClient.ts';
import { signOut } from '../api/session.ts';
import { Avatar } from '../components/Avatar.tsx';
import { Check, ChevronsUpDown, LogOut, Monitor, Moon, Sun, UserRound } from '../components/icons.tsx';
import { useOrgContext } from './orgContext.ts';
import { chooseTheme, chosenTheme, type Theme } from './theme.ts';

const themes = [
  { id: 'system', label: 'As the system', icon: Monitor },
  { id: 'light', label: 'Light', icon: Sun },
  { id: 'dark', label: 'Dark', icon: Moon },
] as const;

export const AccountMenu = () => {
  const { member } = useOrgContext().session;
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const [theme, setTheme] = useState<Theme>(chosenTheme);
  const signingOut = useApiMutation(signOut, {
    onSuccess: () => {
      client.clear();
      client.setQueryData(sessionQueryKey, null);
      navigate('/sign-in', { replace: true });
    },
  });
  const selectTheme = (keys: Selection) => {
    const next = [...(keys as Set<Theme>)][0] ?? 'system';
    setTheme(next);
    chooseTheme(next);
  };
  return (
    <MenuTrigger>
      <Button className="button ghost switcher">
        <span className="visually-hidden">Your account: </span>
        <Avatar name={member.name} round />
        <span className="name">
          <span>{member.name}</span>
          <small>{member.email}</small>
        </span>
        <ChevronsUpDown size={16} aria-hidden="true" />
      </Button>
      <Popover className="popover" placement="top start">
        <Menu
          className="menu-list"
          aria-label="Your account"
          onAction={(key) => {
            if (key === 'account') navigate('/account');
            if (key === 'signOut') signingOut.mutate(undefined);
          }}
        >
          <MenuItem id="account" className="item" textValue="Your account">
            <UserRound size={16} aria-hidden="true" />
            <Text slot="label">Your account</Text>
          </MenuItem>
          <Separator className="menu-separator" />
          <MenuSection
            selectionMode="single"
            selectedKeys={[theme]}
            onSelectionChange={selectTheme}
            disallowEmptySelection
          >
            <Header className="menu-heading">Appearance</Header>
            {themes.map(({ id, label, icon: Icon }) => (
              <MenuItem key={id} id={id} className="item" textValue={label}>
                <Icon size={16} aria-hidden="true" />
                <Text slot="label">{label}</Text>
                {theme === id && <Check className="check" size={16} aria-hidden="true" />}
              </MenuItem>
            ))}
          </MenuSection>
          <Separator className="menu-separator" />
          <MenuItem id="signOut" className="item" textValue="Sign out">
            <LogOut size={16} aria-hidden="true" />
            <Text slot="label">Sign out</Text>
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
};
