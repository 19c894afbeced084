// What an owner can do about a member. The last owner stays as they are.
import { useQueryClient } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { Menu, MenuItem, MenuTrigger, Popover, Text } from 'react-aria-components';
import { Button } from '../../parts/Button.tsx';
import { ChooseCard } from '../../parts/Choose.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { ShownOnce } from '../../parts/ShownOnce.tsx';
import { Confirm, Window } from '../../parts/Window.tsx';
import { inWords } from '../../service/conversation.ts';
import { changeRole, type Member, makeResetLink, removeMember } from '../../service/members.ts';
import { sessionKey, useChange } from '../../service/queries.ts';
import type { Role } from '../../service/session.ts';
import { usePlace } from '../../shell/place.ts';
import { roleOptions } from '../../texts/roles.ts';

type MemberMenuProps = { member: Member; isSelf: boolean; isLastOwner: boolean };
type Asked = 'role' | 'link' | 'remove';

export const MemberMenu = ({ member, isSelf, isLastOwner }: MemberMenuProps) => {
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const items = [
    { id: 'role', label: 'Change role', isShown: !isLastOwner },
    { id: 'link', label: 'Make a reset link', isShown: !isSelf },
    {
      id: 'remove',
      label: isSelf ? 'Leave the organization' : 'Remove',
      isShown: !isLastOwner,
      danger: true,
    },
  ].filter(({ isShown }) => isShown);
  if (items.length === 0) return null;
  return (
    <>
      <MenuTrigger>
        <Button quiet compact icon aria-label={`Change ${member.name}`}>
          <Ellipsis size={18} aria-hidden="true" />
        </Button>
        <Popover className="popover" placement="bottom end">
          <Menu
            className="listing"
            aria-label={`Change ${member.name}`}
            items={items}
            onAction={(key) => setAsked(key as Asked)}
          >
            {({ id, label, danger }) => (
              <MenuItem id={id} className={danger ? 'item danger' : 'item'} textValue={label}>
                <Text slot="label">{label}</Text>
              </MenuItem>
            )}
          </Menu>
        </Popover>
      </MenuTrigger>
      <ChangeRole member={member} isOpen={asked === 'role'} onClose={close} />
      <ResetLink member={member} isOpen={asked === 'link'} onClose={close} />
      <Remove member={member} isSelf={isSelf} isOpen={asked === 'remove'} onClose={close} />
    </>
  );
};

type AskedProps = { member: Member; isOpen: boolean; onClose: () => void };

const ChangeRole = ({ member, isOpen, onClose }: AskedProps) => (
  <Window title={`The role of ${member.name}`} isOpen={isOpen} onClose={onClose}>
    <ChangeRoleForm member={member} onClose={onClose} />
  </Window>
);

const ChangeRoleForm = ({ member, onClose }: Omit<AskedProps, 'isOpen'>) => {
  const { organization } = usePlace();
  const [role, setRole] = useState<Role>(member.role);
  const changing = useChange((chosen: Role) => changeRole(organization.id, member.id, chosen), {
    refreshes: [['members', organization.id], [...sessionKey]],
    onDone: onClose,
  });
  return (
    <>
      {changing.error && <Notice tone="bad">{inWords(changing.error)}</Notice>}
      <ChooseCard label="Role" value={role} options={roleOptions} onChange={setRole} />
      <div className="actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button primary isPending={changing.isPending} onPress={() => changing.mutate(role)}>
          Change role
        </Button>
      </div>
    </>
  );
};

const ResetLink = ({ member, isOpen, onClose }: AskedProps) => {
  const { organization } = usePlace();
  const [link, setLink] = useState<string>();
  const making = useChange(() => makeResetLink(organization.id, member.id), {
    onDone: (made) => {
      setLink(made.link);
      onClose();
    },
  });
  return (
    <>
      <Confirm
        title={`A reset link for ${member.name}?`}
        action="Make the link"
        danger={false}
        isOpen={isOpen}
        isPending={making.isPending}
        error={making.error}
        onConfirm={() => making.mutate(undefined)}
        onClose={onClose}
      >
        <p>
          Whoever opens the link within an hour chooses a new password for {member.email}. All their sessions
          end and their passkeys are removed.
        </p>
      </Confirm>
      <ShownOnce title="The reset link" what="reset link" text={link} onClose={() => setLink(undefined)}>
        Hand it to {member.name} yourself, by a way that you trust. It works once, for an hour.
      </ShownOnce>
    </>
  );
};

const Remove = ({ member, isSelf, isOpen, onClose }: AskedProps & { isSelf: boolean }) => {
  const { organization } = usePlace();
  const client = useQueryClient();
  const removing = useChange(() => removeMember(organization.id, member.id), {
    refreshes: isSelf ? [] : [['members', organization.id]],
    onDone: () => {
      onClose();
      if (isSelf) void client.invalidateQueries({ queryKey: sessionKey });
    },
  });
  return (
    <Confirm
      title={isSelf ? `Leave ${organization.name}?` : `Remove ${member.name}?`}
      action={isSelf ? 'Leave' : 'Remove'}
      isOpen={isOpen}
      isPending={removing.isPending}
      error={removing.error}
      onConfirm={() => removing.mutate(undefined)}
      onClose={onClose}
    >
      <p>
        {isSelf ? 'You lose' : `${member.email} loses`} access to {organization.name} at once. Access keys
        stay as they are.
      </p>
    </Confirm>
  );
};
