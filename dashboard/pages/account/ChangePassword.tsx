// Changes the password, which ends all other sessions.
import { useState } from 'react';
import { changePassword } from '../../api/account.ts';
import { ApiError, errorMessage } from '../../api/apiClient.ts';
import { sessionQueryKey, useApiMutation } from '../../api/queryClient.ts';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { Field } from '../../components/Field.tsx';
import { Notice } from '../../components/Notice.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';
import { NewPasswordField } from '../signIn/NewPasswordField.tsx';

export const ChangePassword = () => {
  const { hasPassword } = useOrgContext().session.member;
  const [currentPassword, setCurrentPassword] = useState('');
  const [newPassword, setNewPassword] = useState('');
  const changing = useApiMutation(changePassword, {
    invalidates: [['me', 'sessions'], [...sessionQueryKey]],
    onSuccess: () => {
      setCurrentPassword('');
      setNewPassword('');
    },
  });
  return (
    <Card title="Password" description="Changing your password signs you out everywhere else.">
      {changing.error && <Notice tone="bad">{passwordErrorMessage(changing.error)}</Notice>}
      {changing.isSuccess && !newPassword && <Notice tone="good">Your password was changed.</Notice>}
      <form
        className="narrow-form"
        onSubmit={(event) => {
          event.preventDefault();
          changing.mutate({ newPassword, ...(hasPassword && { currentPassword }) });
        }}
      >
        {hasPassword && (
          <Field
            label="Current password"
            type="password"
            autoComplete="current-password"
            isRequired
            maxLength={200}
            value={currentPassword}
            onChange={setCurrentPassword}
          />
        )}
        <NewPasswordField label="New password" value={newPassword} onChange={setNewPassword} />
        <Button type="submit" isPending={changing.isPending}>
          {hasPassword ? 'Change password' : 'Set password'}
        </Button>
      </form>
    </Card>
  );
};

/** A 403 here means that the current password is wrong. */
export const passwordErrorMessage = (error: Error): string =>
  error instanceof ApiError && error.code === 'forbidden'
    ? 'This is not your current password.'
    : errorMessage(error);
