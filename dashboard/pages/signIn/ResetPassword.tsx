// Sets a new password with a reset link from an owner or the command line.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, errorMessage } from '../../api/apiClient.ts';
import { sessionQueryKey, useApiMutation } from '../../api/queryClient.ts';
import { resetPassword } from '../../api/session.ts';
import { Button, LinkButton } from '../../components/Button.tsx';
import { Notice } from '../../components/Notice.tsx';
import { NewPasswordField } from './NewPasswordField.tsx';
import { SignInLayout } from './SignInLayout.tsx';
import { useLinkToken } from './useLinkToken.ts';

export const ResetPassword = () => {
  const token = useLinkToken();
  const client = useQueryClient();
  const [password, setPassword] = useState('');
  const resetting = useApiMutation(resetPassword, {
    onSuccess: () => client.setQueryData(sessionQueryKey, null),
  });
  const isInvalid = resetting.error instanceof ApiError && resetting.error.code === 'not_found';
  if (!token || isInvalid) return <LinkExpired />;
  if (resetting.isSuccess) return <PasswordSet />;
  return (
    <SignInLayout
      title="Choose a new password"
      description="This ends all your sessions and removes your passkeys, in case someone else has access to them."
    >
      {resetting.error && <Notice tone="bad">{errorMessage(resetting.error)}</Notice>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          resetting.mutate({ token, password });
        }}
      >
        <NewPasswordField label="New password" value={password} onChange={setPassword} />
        <Button type="submit" primary wide isPending={resetting.isPending}>
          Set password
        </Button>
      </form>
    </SignInLayout>
  );
};

const LinkExpired = () => (
  <SignInLayout title="This link no longer works" description="A reset link works once, for an hour.">
    <Notice>Ask an owner of your organization for a new one.</Notice>
    <LinkButton to="/sign-in" wide>
      Go to sign in
    </LinkButton>
  </SignInLayout>
);

const PasswordSet = () => (
  <SignInLayout title="Your password is set">
    <Notice tone="good">Sign in with it now. You can add passkeys again under “Your account”.</Notice>
    <LinkButton to="/sign-in" primary wide>
      Sign in
    </LinkButton>
  </SignInLayout>
);
