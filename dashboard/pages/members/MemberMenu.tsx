// An owner's actions on a member. The last owner can neither be removed nor lose the role.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '../../api/apiClient.ts';
import { changeRole, createResetLink, type Member, removeMember } from '../../api/members.ts';
import { sessionQueryKey, useApiMutation } from '../../api/queryClient.ts';
import type { Role } from '../../api/session.ts';
import { Button } from '../../components/Button.tsx';
import { Ellipsis } from '../../components/icons.tsx';
import { MenuButton, type MenuItem } from '../../components/MenuButton.tsx';
import { ConfirmModal, Modal } from '../../components/Modal.tsx';
import { Notice } from '../../components/Notice.tsx';
import { OneTimeSecretModal } from '../../components/OneTimeSecretModal.tsx';
import { RadioCards } from '../../components/RadioCards.tsx';
import { roleOptions } from '../../labels/roles.ts';
import { useOrgContext } from '../../shell/orgContext.ts';

type MemberMenuProps = { member: Member; isSelf: boolean; isLastOwner: boolean };
type MemberAction = 'role' | 'link' | 'remove';

export const MemberMenu = ({ member, isSelf, isLastOwner }: MemberMenuProps) => {
  const [action, setAction] = useState<MemberAction>();
  const close = () => setAction(undefined);
  const items = actionsOn({ member, isSelf, isLastOwner });
  if (items.length === 0) return null;
  return (
    <>
      <MenuButton
        className="button ghost compact icon"
        buttonLabel={`Change ${member.name}`}
        label={`Change ${member.name}`}
        groups={[{ items }]}
        onAction={setAction}
      >
        <Ellipsis size={18} aria-hidden="true" />
      </MenuButton>
      <ChangeRole member={member} isOpen={action === 'role'} onClose={close} />
      <ResetLink member={member} isOpen={action === 'link'} onClose={close} />
      <RemoveMember member={member} isSelf={isSelf} isOpen={action === 'remove'} onClose={close} />
    </>
  );
};

const actionsOn = ({ isSelf, isLastOwner }: MemberMenuProps): MenuItem<MemberAction>[] => [
  ...(isLastOwner ? [] : [{ id: 'role' as const, label: 'Change role' }]),
  ...(isSelf ? [] : [{ id: 'link' as const, label: 'Create a reset link' }]),
  ...(isLastOwner
    ? []
    : [{ id: 'remove' as const, label: isSelf ? 'Leave organization' : 'Remove', danger: true }]),
];

type MemberActionProps = { member: Member; isOpen: boolean; onClose: () => void };

const ChangeRole = ({ member, isOpen, onClose }: MemberActionProps) => (
  <Modal title={`Change ${member.name}’s role`} isOpen={isOpen} onClose={onClose}>
    <ChangeRoleForm member={member} onClose={onClose} />
  </Modal>
);

const ChangeRoleForm = ({ member, onClose }: Omit<MemberActionProps, 'isOpen'>) => {
  const { organization } = useOrgContext();
  const [role, setRole] = useState<Role>(member.role);
  const changing = useApiMutation((newRole: Role) => changeRole(organization.id, member.id, newRole), {
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
  const creating = useApiMutation(() => createResetLink(organization.id, member.id), {
    onSuccess: (created) => {
      setLink(created.link);
      onClose();
    },
  });
  return (
    <>
      <ConfirmModal
        title={`Create a reset link for ${member.name}?`}
        action="Create link"
        danger={false}
        isOpen={isOpen}
        isPending={creating.isPending}
        error={creating.error}
        onConfirm={() => creating.mutate(undefined)}
        onClose={onClose}
      >
        <p>
          Anyone who opens the link within an hour can set a new password for {member.email}. All their
          sessions end and their passkeys are removed.
        </p>
      </ConfirmModal>
      <OneTimeSecretModal
        title="Reset link"
        label="reset link"
        secret={link}
        onClose={() => setLink(undefined)}
      >
        Send it to {member.name} over a channel you trust. It works once, for an hour.
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
        {isSelf ? 'You lose' : `${member.email} loses`} access to {organization.name} immediately. API keys
        are not affected.
      </p>
    </ConfirmModal>
  );
};
