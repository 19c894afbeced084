// Adds a passkey. Asks for the password first, so that nobody can add one in an unattended session.
import { startRegistration } from '@simplewebauthn/browser';
import { type ReactNode, useState } from 'react';
import { addPasskey, startPasskeyRegistration } from '../../api/account.ts';
import { ApiError } from '../../api/apiClient.ts';
import { useApiMutation } from '../../api/queryClient.ts';
import { Button } from '../../components/Button.tsx';
import { Field } from '../../components/Field.tsx';
import { Modal } from '../../components/Modal.tsx';
import { Notice } from '../../components/Notice.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';
import { passkeyErrorMessage } from '../signIn/passkeyErrorMessage.ts';
import { passwordErrorMessage } from './ChangePassword.tsx';

export const AddPasskey = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => {
  const { hasPassword } = useOrgContext().session.member;
  const cancelButton = <Button onPress={onClose}>Cancel</Button>;
  return (
    <Modal title="Add a passkey" isOpen={isOpen} onClose={onClose}>
      <AddPasskeyForm hasPassword={hasPassword} cancelButton={cancelButton} onAdded={onClose} />
    </Modal>
  );
};

type PasskeyFormValues = { name: string; password: string | undefined };

const registerPasskey = async ({ name, password }: PasskeyFormValues) => {
  const { challengeId, options } = await startPasskeyRegistration({ password });
  const response = await startRegistration({ optionsJSON: options as never });
  return addPasskey({ challengeId, name, response: response as never });
};

type FormProps = { hasPassword: boolean; cancelButton: ReactNode; onAdded: () => void };

export const AddPasskeyForm = ({ hasPassword, cancelButton, onAdded }: FormProps) => {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const adding = useApiMutation(registerPasskey, { invalidates: [['me', 'passkeys']], onSuccess: onAdded });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        adding.mutate({ name: name.trim(), password: hasPassword ? password : undefined });
      }}
    >
      {adding.error && (
        <Notice tone="bad">
          {adding.error instanceof ApiError
            ? passwordErrorMessage(adding.error)
            : passkeyErrorMessage(adding.error)}
        </Notice>
      )}
      <Field
        label="Name"
        hint="Helps you recognize it later, for example “laptop” or “blue security key”."
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
        {cancelButton}
        <Button type="submit" primary isPending={adding.isPending}>
          Continue
        </Button>
      </div>
    </form>
  );
};
