// Inviting somebody: the service makes a link, and the owner hands it over.
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { Button } from '../../parts/Button.tsx';
import { ChooseCard } from '../../parts/Choose.tsx';
import { Field } from '../../parts/Field.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { ShownOnce } from '../../parts/ShownOnce.tsx';
import { Window } from '../../parts/Window.tsx';
import { inWords, type Shape } from '../../service/conversation.ts';
import { invite } from '../../service/members.ts';
import { useChange } from '../../service/queries.ts';
import type { Role } from '../../service/session.ts';
import { usePlace } from '../../shell/place.ts';
import { roleOptions } from '../../texts/roles.ts';

export const Invite = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => {
  const [made, setMade] = useState<Shape['MadeInvitation']>();
  return (
    <>
      <Window title="Invite a member" isOpen={isOpen} onClose={onClose}>
        <InviteForm
          onClose={onClose}
          onMade={(invitation) => {
            onClose();
            setMade(invitation);
          }}
        />
      </Window>
      <ShownOnce
        title="The invitation"
        what="invitation link"
        text={made?.link}
        onClose={() => setMade(undefined)}
      >
        Hand the link to {made?.invitation.email} yourself, by a way that you trust. It works once, for seven
        days.
      </ShownOnce>
    </>
  );
};

type FormProps = { onClose: () => void; onMade: (made: Shape['MadeInvitation']) => void };

const InviteForm = ({ onClose, onMade }: FormProps) => {
  const { organization } = usePlace();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('developer');
  const inviting = useChange((body: Shape['NewInvitation']) => invite(organization.id, body), {
    refreshes: [['invitations', organization.id]],
    onDone: onMade,
  });
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        inviting.mutate({ email: email.trim(), role });
      }}
    >
      {inviting.error && <Notice tone="bad">{inWords(inviting.error)}</Notice>}
      <Field
        label="Email"
        type="email"
        isRequired
        maxLength={254}
        autoFocus
        value={email}
        onChange={setEmail}
      />
      <ChooseCard label="Role" value={role} options={roleOptions} onChange={setRole} />
      <div className="actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button type="submit" primary isPending={inviting.isPending}>
          Make an invitation link
        </Button>
      </div>
    </Form>
  );
};
