// Another password. All other sessions end with it.
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Field } from '../../parts/Field.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { changePassword } from '../../service/account.ts';
import { inWords, Refusal } from '../../service/conversation.ts';
import { sessionKey, useChange } from '../../service/queries.ts';
import { usePlace } from '../../shell/place.ts';
import { NewPassword } from '../entry/NewPassword.tsx';

export const OwnPassword = () => {
  const { hasPassword } = usePlace().session.member;
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const changing = useChange(changePassword, {
    refreshes: [['me', 'sessions'], [...sessionKey]],
    onDone: () => {
      setCurrent('');
      setNext('');
    },
  });
  return (
    <Card title="Password" note="When it changes, you are signed out everywhere else.">
      {changing.error && <Notice tone="bad">{wrongPassword(changing.error)}</Notice>}
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
        <NewPassword label="New password" value={next} onChange={setNext} />
        <Button type="submit" isPending={changing.isPending}>
          {hasPassword ? 'Change the password' : 'Set a password'}
        </Button>
      </Form>
    </Card>
  );
};

/** The one thing that is forbidden here is a password that is not the member's. */
export const wrongPassword = (error: Error): string =>
  error instanceof Refusal && error.code === 'forbidden'
    ? 'This is not your present password.'
    : inWords(error);
