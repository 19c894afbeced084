// The member's menu: account page, theme, sign-out.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { sessionQueryKey, useApiMutation } from '../api/queryClient.ts';
import { signOut } from '../api/session.ts';
import { Avatar } from '../components/Avatar.tsx';
import { ChevronsUpDown, LogOut, Monitor, Moon, Sun, UserRound } from '../components/icons.tsx';
import { MenuButton } from '../components/MenuButton.tsx';
import { useOrgContext } from './orgContext.ts';
import { chooseTheme, chosenTheme, type Theme } from './theme.ts';

const themes = [
  { id: 'system', label: 'System', icon: Monitor },
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
  const act = (id: Theme | 'account' | 'signOut') => {
    if (id === 'account') return navigate('/account');
    if (id === 'signOut') return signingOut.mutate(undefined);
    setTheme(id);
    chooseTheme(id);
  };
  return (
    <MenuButton
      className="button ghost switcher"
      label="Your account"
      groups={[
        { items: [{ id: 'account', label: 'Your account', icon: <UserRound size={16} /> }] },
        {
          heading: 'Appearance',
          items: themes.map(({ id, label, icon: Icon }) => ({
            id,
            label,
            icon: <Icon size={16} />,
            isChecked: id === theme,
          })),
        },
        { items: [{ id: 'signOut', label: 'Sign out', icon: <LogOut size={16} /> }] },
      ]}
      onAction={act}
    >
      <span className="visually-hidden">Your account: </span>
      <Avatar name={member.name} round />
      <span className="name">
        <span>{member.name}</span>
        <small>{member.email}</small>
      </span>
      <ChevronsUpDown size={16} aria-hidden="true" />
    </MenuButton>
  );
};
