// Adding a passkey: the password first, so that a session left open is not enough, then what the browser asks.
import { startRegistration } from '@simplewebauthn/browser';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { Button } from '../../parts/Button.tsx';
import { Field } from '../../parts/Field.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { Window } from '../../parts/Window.tsx';
import { addPasskey, startPasskey } from '../../service/account.ts';
import { Refusal } from '../../service/conversation.ts';
import { useChange } from '../../service/queries.ts';
import { usePlace } from '../../shell/place.ts';
import { passkeyProblem } from '../entry/passkeyProblem.ts';
import { wrongPassword } from './OwnPassword.tsx';

export const AddPasskey = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => (
  <Window title="Add a passkey" isOpen={isOpen} onClose={onClose}>
    <AddPasskeyForm onClose={onClose} />
  </Window>
);

type Typed = { name: string; password: string | undefined };

const makePasskey = async ({ name, password }: Typed) => {
  const { challengeId, options } = await startPasskey({ password });
  const response = await startRegistration({ optionsJSON: options as never });
  return addPasskey({ challengeId, name, response: response as never });
};

const AddPasskeyForm = ({ onClose }: { onClose: () => void }) => {
  const { hasPassword } = usePlace().session.member;
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const adding = useChange(makePasskey, { refreshes: [['me', 'passkeys']], onDone: onClose });
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        adding.mutate({ name: name.trim(), password: hasPassword ? password : undefined });
      }}
    >
      {adding.error && (
        <Notice tone="bad">
          {adding.error instanceof Refusal ? wrongPassword(adding.error) : passkeyProblem(adding.error)}
        </Notice>
      )}
      <Field
        label="Name"
        hint="So that you know it again: “laptop”, “blue security key”."
        isRequired
        maxLength={100}
        autoFocus
        value={name}
        onChange={setName}
      />
      {hasPassword && (
        <Field
          label="Your password"
          type="password"
          autoComplete="current-password"
          isRequired
          maxLength={200}
          value={password}
          onChange={setPassword}
        />
      )}
      <div className="actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button type="submit" primary isPending={adding.isPending}>
          Continue
        </Button>
      </div>
    </Form>
  );
};
