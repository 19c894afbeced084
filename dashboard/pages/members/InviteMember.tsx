// Invites a member: the service creates a link, which the owner delivers.
import { useState } from 'react';
import { errorMessage, type Schemas } from '../../api/apiClient.ts';
import { createInvitation } from '../../api/members.ts';
import { useApiMutation } from '../../api/queryClient.ts';
import type { Role } from '../../api/session.ts';
import { Field } from '../../components/Field.tsx';
import { FormActions } from '../../components/FormActions.tsx';
import { Modal } from '../../components/Modal.tsx';
import { Notice } from '../../components/Notice.tsx';
import { OneTimeSecretModal } from '../../components/OneTimeSecretModal.tsx';
import { RadioCards } from '../../components/RadioCards.tsx';
import { roleOptions } from '../../labels/roles.ts';
import { useOrgContext } from '../../shell/orgContext.ts';

export const InviteMember = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => {
  const [created, setCreated] = useState<Schemas['CreatedInvitation']>();
  return (
    <>
      <Modal title="Invite a member" isOpen={isOpen} onClose={onClose}>
        <InviteMemberForm
          onClose={onClose}
          onCreated={(invitation) => {
            onClose();
            setCreated(invitation);
          }}
        />
      </Modal>
      <OneTimeSecretModal
        title="Invitation link"
        label="invitation link"
        secret={created?.link}
        onClose={() => setCreated(undefined)}
      >
        Send the link to {created?.invitation.email} over a channel you trust. It works once, for 7 days.
      </OneTimeSecretModal>
    </>
  );
};

type FormProps = { onClose: () => void; onCreated: (created: Schemas['CreatedInvitation']) => void };

const InviteMemberForm = ({ onClose, onCreated }: FormProps) => {
  const { organization } = useOrgContext();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('developer');
  const inviting = useApiMutation(
    (body: Schemas['NewInvitation']) => createInvitation(organization.id, body),
    {
      invalidates: [['invitations', organization.id]],
      onSuccess: onCreated,
    },
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        inviting.mutate({ email: email.trim(), role });
      }}
    >
      {inviting.error && <Notice tone="bad">{errorMessage(inviting.error)}</Notice>}
      <Field
        label="Email"
        type="email"
        isRequired
        maxLength={254}
        autoFocus
        value={email}
        onChange={setEmail}
      />
      <RadioCards label="Role" value={role} options={roleOptions} onChange={setRole} />
      <FormActions onCancel={onClose} isPending={inviting.isPending}>
        Create invitation link
      </FormActions>
    </form>
  );
};
