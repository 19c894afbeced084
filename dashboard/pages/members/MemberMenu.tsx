// What an owner can do about a member. The last owner stays as they are.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Menu, MenuItem, MenuTrigger, Popover, Text } from 'react-aria-components';
import { errorMessage } from '../../api/apiClient.ts';
import { changeRole, createResetLink, type Member, removeMember } from '../../api/members.ts';
import { sessionQueryKey, useApiMutation } from '../../api/queryClient.ts';
import type { Role } from '../../api/session.ts';
import { Button } from '../../components/Button.tsx';
import { Ellipsis } from '../../components/icons.tsx';
import { ConfirmModal, Window } from '../../components/Modal.tsx';
import { Notice } from '../../components/Notice.tsx';
import { OneTimeSecretModal } from '../../components/OneTimeSecretModal.tsx';
import { RadioCards } from '../../components/Select.tsx';
import { roleOptions } from '../../labels/roles.ts';
import { useOrgContext } from '../../shell/orgContext.ts';

type MemberMenuProps = { member: Member; isSelf: boolean; isLastOwner: boolean };
type MemberAction = 'role' | 'link' | 'remove';

export const MemberMenu = ({ member, isSelf, isLastOwner }: MemberMenuProps) => {
  const [asked, setAsked] = useState<MemberAction>();
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
        <Button ghost compact icon aria-label={`Change ${member.name}`}>
          <Ellipsis size={18} aria-hidden="true" />
        </Button>
        <Popover className="popover" placement="bottom end">
          <Menu
            className="listing"
            aria-label={`Change ${member.name}`}
            items={items}
            onAction={(key) => setAsked(key as MemberAction)}
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
      <RemoveMember member={member} isSelf={isSelf} isOpen={asked === 'remove'} onClose={close} />
    </>
  );
};

type MemberActionProps = { member: Member; isOpen: boolean; onClose: () => void };

const ChangeRole = ({ member, isOpen, onClose }: MemberActionProps) => (
  <Window title={`The role of ${member.name}`} isOpen={isOpen} onClose={onClose}>
    <ChangeRoleForm member={member} onClose={onClose} />
  </Window>
);

const ChangeRoleForm = ({ member, onClose }: Omit<MemberActionProps, 'isOpen'>) => {
  const { organization } = useOrgContext();
  const [role, setRole] = useState<Role>(member.role);
  const changing = useApiMutation((chosen: Role) => changeRole(organization.id, member.id, chosen), {
    invalidates: [['members', organization.id], [...sessionQueryKey]],
    onSuccess: onClose,
  });
  return (
    <>
      {changing.error && <Notice tone="bad">{errorMessage(changing.error)}</Notice>}
      <RadioCards label="Role" value={role} options={roleOptions} onChange={setRole} />
      <div className="actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button primary isPending={changing.isPending} onPress={() => changing.mutate(role)}>
          Change role
        </Button>
      </div>
    </>
  );
};

const ResetLink = ({ member, isOpen, onClose }: MemberActionProps) => {
  const { organization } = useOrgContext();
  const [link, setLink] = useState<string>();
  const making = useApiMutation(() => createResetLink(organization.id, member.id), {
    onSuccess: (made) => {
      setLink(made.link);
      onClose();
    },
  });
  return (
    <>
      <ConfirmModal
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
      </ConfirmModal>
      <OneTimeSecretModal
        title="The reset link"
        label="reset link"
        secret={link}
        onClose={() => setLink(undefined)}
      >
        Hand it to {member.name} yourself, by a way that you trust. It works once, for an hour.
      </OneTimeSecretModal>
    </>
  );
};

const RemoveMember = ({ member, isSelf, isOpen, onClose }: MemberActionProps & { isSelf: boolean }) => {
  const { organization } = useOrgContext();
  const client = useQueryClient();
  const removing = useApiMutation(() => removeMember(organization.id, member.id), {
    invalidates: isSelf ? [] : [['members', organization.id]],
    onSuccess: () => {
      onClose();
      if (isSelf) void client.invalidateQueries({ queryKey: sessionQueryKey });
    },
  });
  return (
    <ConfirmModal
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
    </ConfirmModal>
  );
};
