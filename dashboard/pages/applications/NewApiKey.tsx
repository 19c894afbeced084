// A new access key: named, perhaps with an end, and shown once.
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { errorMessage, type Schemas } from '../../api/apiClient.ts';
import { type Application, createApiKey } from '../../api/applications.ts';
import { useApiMutation } from '../../api/queryClient.ts';
import { Button } from '../../components/Button.tsx';
import { Field } from '../../components/Field.tsx';
import { Window } from '../../components/Modal.tsx';
import { Notice } from '../../components/Notice.tsx';
import { OneTimeSecretModal } from '../../components/OneTimeSecretModal.tsx';
import { Choose } from '../../components/Select.tsx';

const expiryOptions = [
  { value: 'never', label: 'Does not expire', days: undefined },
  { value: 'month', label: 'In 30 days', days: 30 },
  { value: 'quarter', label: 'In 90 days', days: 90 },
  { value: 'year', label: 'In a year', days: 365 },
] as const;

type Expiry = (typeof expiryOptions)[number]['value'];

const toExpiresAt = (life: Expiry): string | undefined => {
  const days = expiryOptions.find(({ value }) => value === life)?.days;
  return days && new Date(Date.now() + days * 86_400_000).toISOString();
};

type NewApiKeyProps = { application: Application; isOpen: boolean; onClose: () => void };

export const NewAccessKey = ({ application, isOpen, onClose }: NewApiKeyProps) => {
  const [text, setText] = useState<string>();
  return (
    <>
      <Window title="New access key" isOpen={isOpen} onClose={onClose}>
        <NewApiKeyForm
          application={application}
          onClose={onClose}
          onCreated={({ secret }) => {
            onClose();
            setText(secret);
          }}
        />
      </Window>
      <OneTimeSecretModal
        title="Your access key"
        label="access key"
        secret={text}
        onClose={() => setText(undefined)}
      >
        Keep it where your backend keeps its secrets, and send it with every request in the header{' '}
        <code>Authorization: Bearer …</code>
      </OneTimeSecretModal>
    </>
  );
};

type FormProps = {
  application: Application;
  onClose: () => void;
  onCreated: (made: Schemas['CreatedApiKey']) => void;
};

const NewApiKeyForm = ({ application, onClose, onCreated }: FormProps) => {
  const [name, setName] = useState('');
  const [life, setLife] = useState<Expiry>('never');
  const making = useApiMutation((body: Schemas['NewApiKey']) => createApiKey(application.id, body), {
    invalidates: [['apiKeys', application.id]],
    onSuccess: onCreated,
  });
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        making.mutate({ name: name.trim(), expiresAt: toExpiresAt(life) });
      }}
    >
      {making.error && <Notice tone="bad">{errorMessage(making.error)}</Notice>}
      <Field
        label="Name"
        hint="Where it is used, so that you know it again: “backend, Frankfurt”."
        isRequired
        maxLength={100}
        autoFocus
        value={name}
        onChange={setName}
      />
      <Choose label="Expires" value={life} options={expiryOptions} onChange={setLife} />
      <div className="actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button type="submit" primary isPending={making.isPending}>
          Create access key
        </Button>
      </div>
    </Form>
  );
};
