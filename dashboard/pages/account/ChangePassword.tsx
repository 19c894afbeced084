// Another password. All other sessions end with it.
import { useState } from 'react';
import { Form } from 'react-aria-components';
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
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const changing = useApiMutation(changePassword, {
    invalidates: [['me', 'sessions'], [...sessionQueryKey]],
    onSuccess: () => {
      setCurrent('');
      setNext('');
    },
  });
  return (
    <Card title="Password" description="When it changes, you are signed out everywhere else.">
      {changing.error && <Notice tone="bad">{passwordErrorMessage(changing.error)}</Notice>}
      {changing.isSuccess && !next && <Notice tone="good">Your password is changed.</Notice>}
      <Form
        className="narrow-form"
        onSubmit={(event) => {
          event.preventDefault();
          changing.mutate({ newPassword: next, ...(hasPassword && { currentPassword: current }) });
        }}
      >
        {hasPassword && (
          <Field
            label="Present password"
            type="password"
            autoComplete="current-password"
            isRequired
            maxLength={200}
            value={current}
            onChange={setCurrent}
          />
        )}
        <NewPasswordField label="New password" value={next} onChange={setNext} />
        <Button type="submit" isPending={changing.isPending}>
          {hasPassword ? 'Change the password' : 'Set a password'}
        </Button>
      </Form>
    </Card>
  );
};

/** The one thing that is forbidden here is a password that is not the member's. */
export const passwordErrorMessage = (error: Error): string =>
  error instanceof ApiError && error.code === 'forbidden'
    ? 'This is not your present password.'
    : errorMessage(error);
