// Choosing a new password with a link from an owner or from the command line.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { Button, LinkButton } from '../../parts/Button.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { inWords, Refusal } from '../../service/conversation.ts';
import { sessionKey, useChange } from '../../service/queries.ts';
import { resetPassword } from '../../service/session.ts';
import { Entry } from './Entry.tsx';
import { useLinkToken } from './linkToken.ts';
import { NewPassword } from './NewPassword.tsx';

export const Reset = () => {
  const token = useLinkToken();
  const client = useQueryClient();
  const [password, setPassword] = useState('');
  const resetting = useChange(resetPassword, { onDone: () => client.setQueryData(sessionKey, null) });
  const isGone = resetting.error instanceof Refusal && resetting.error.code === 'not_found';
  if (!token || isGone) return <Gone />;
  if (resetting.isSuccess) return <Done />;
  return (
    <Entry
      title="Choose a new password"
      note="All your sessions end and your passkeys are removed, in case somebody else had them."
    >
      {resetting.error && <Notice tone="bad">{inWords(resetting.error)}</Notice>}
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          resetting.mutate({ token, password });
        }}
      >
        <NewPassword label="New password" value={password} onChange={setPassword} />
        <Button type="submit" primary wide isPending={resetting.isPending}>
          Set the password
        </Button>
      </Form>
    </Entry>
  );
};

const Gone = () => (
  <Entry title="This link no longer works" note="A reset link works once and for an hour.">
    <Notice>Ask an owner of your organization for a new one.</Notice>
    <LinkButton to="/sign-in" wide>
      Go to sign in
    </LinkButton>
  </Entry>
);

const Done = () => (
  <Entry title="Your password is set">
    <Notice tone="good">Sign in with it now. You can add a passkey again under “Your account”.</Notice>
    <LinkButton to="/sign-in" primary wide>
      Sign in
    </LinkButton>
  </Entry>
);
