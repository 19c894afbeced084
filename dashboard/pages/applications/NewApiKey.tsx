// Creates an API key with a name and an expiry, and shows it once.
import { useState } from 'react';
import { errorMessage, type Schemas } from '../../api/apiClient.ts';
import { type Application, createApiKey } from '../../api/applications.ts';
import { useApiMutation } from '../../api/queryClient.ts';
import { Field } from '../../components/Field.tsx';
import { FormActions } from '../../components/FormActions.tsx';
import { Modal } from '../../components/Modal.tsx';
import { Notice } from '../../components/Notice.tsx';
import { OneTimeSecretModal } from '../../components/OneTimeSecretModal.tsx';
import { Select } from '../../components/Select.tsx';

const expiryOptions = [
  { value: 'never', label: 'Does not expire', days: undefined },
  { value: 'month', label: 'In 30 days', days: 30 },
  { value: 'quarter', label: 'In 90 days', days: 90 },
  { value: 'year', label: 'In a year', days: 365 },
] as const;

type Expiry = (typeof expiryOptions)[number]['value'];

const toExpiresAt = (expiry: Expiry): string | undefined => {
  const days = expiryOptions.find(({ value }) => value === expiry)?.days;
  return days && new Date(Date.now() + days * 86_400_000).toISOString();
};

type NewApiKeyProps = { application: Application; isOpen: boolean; onClose: () => void };

export const NewApiKey = ({ application, isOpen, onClose }: NewApiKeyProps) => {
  const [secret, setSecret] = useState<string>();
  return (
    <>
      <Modal title="New API key" isOpen={isOpen} onClose={onClose}>
        <NewApiKeyForm
          application={application}
          onClose={onClose}
          onCreated={({ secret }) => {
            onClose();
            setSecret(secret);
          }}
        />
      </Modal>
      <OneTimeSecretModal
        title="Your API key"
        label="API key"
        secret={secret}
        onClose={() => setSecret(undefined)}
      >
        Store it with your backend’s other secrets, and send it with every request in the header{' '}
        <code>Authorization: Bearer …</code>
      </OneTimeSecretModal>
    </>
  );
};

type FormProps = {
  application: Application;
  onClose: () => void;
  onCreated: (created: Schemas['CreatedApiKey']) => void;
};

const NewApiKeyForm = ({ application, onClose, onCreated }: FormProps) => {
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState<Expiry>('never');
  const creating = useApiMutation((body: Schemas['NewApiKey']) => createApiKey(application.id, body), {
    invalidates: [['apiKeys', application.id]],
    onSuccess: onCreated,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        creating.mutate({ name: name.trim(), expiresAt: toExpiresAt(expiry) });
      }}
    >
      {creating.error && <Notice tone="bad">{errorMessage(creating.error)}</Notice>}
      <Field
        label="Name"
        hint="Where it is used, for example “backend, Frankfurt”."
        isRequired
        maxLength={100}
        autoFocus
        value={name}
        onChange={setName}
      />
      <Select label="Expires" value={expiry} options={expiryOptions} onChange={setExpiry} />
      <FormActions onCancel={onClose} isPending={creating.isPending}>
        Create API key
      </FormActions>
    </form>
  );
};
