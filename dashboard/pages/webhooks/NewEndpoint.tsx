// Adds a webhook endpoint by URL, and shows its signing secret once.
import { useState } from 'react';
import { errorMessage, type Schemas } from '../../api/apiClient.ts';
import type { Application } from '../../api/applications.ts';
import { useApiMutation } from '../../api/queryClient.ts';
import { createWebhookEndpoint } from '../../api/webhooks.ts';
import { Field } from '../../components/Field.tsx';
import { FormActions } from '../../components/FormActions.tsx';
import { Modal } from '../../components/Modal.tsx';
import { Notice } from '../../components/Notice.tsx';
import { OneTimeSecretModal } from '../../components/OneTimeSecretModal.tsx';

type NewEndpointProps = { application: Application; isOpen: boolean; onClose: () => void };

export const NewEndpoint = ({ application, isOpen, onClose }: NewEndpointProps) => {
  const [secret, setSecret] = useState<string>();
  return (
    <>
      <Modal title="Add endpoint" isOpen={isOpen} onClose={onClose}>
        <NewEndpointForm
          application={application}
          onClose={onClose}
          onCreated={(created) => {
            onClose();
            setSecret(created.secret);
          }}
        />
      </Modal>
      <OneTimeSecretModal
        title="Your signing secret"
        label="signing secret"
        secret={secret}
        onClose={() => setSecret(undefined)}
      >
        Store it with your backend’s other secrets. <code>verifyWebhook</code> uses it to check that an event
        comes from this service.
      </OneTimeSecretModal>
    </>
  );
};

type FormProps = {
  application: Application;
  onClose: () => void;
  onCreated: (created: Schemas['CreatedWebhookEndpoint']) => void;
};

const NewEndpointForm = ({ application, onClose, onCreated }: FormProps) => {
  const [url, setUrl] = useState('');
  const creating = useApiMutation(() => createWebhookEndpoint(application.id, { url: url.trim() }), {
    invalidates: [['webhookEndpoints', application.id]],
    onSuccess: onCreated,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        creating.mutate(undefined);
      }}
    >
      {creating.error && <Notice tone="bad">{errorMessage(creating.error)}</Notice>}
      <Field
        label="URL"
        hint={
          application.environment === 'production'
            ? 'Where your backend receives events; https only.'
            : 'Where your backend receives events.'
        }
        placeholder="https://shop.example/webhooks"
        mono
        isRequired
        maxLength={2000}
        autoFocus
        value={url}
        onChange={setUrl}
      />
      <FormActions onCancel={onClose} isPending={creating.isPending}>
        Add endpoint
      </FormActions>
    </form>
  );
};
