// Creates an application, whose environment cannot be changed later.
import { useState } from 'react';
import { useLocation } from 'wouter';
import { errorMessage, type Schemas } from '../../api/apiClient.ts';
import { createApplication } from '../../api/applications.ts';
import { useApiMutation } from '../../api/queryClient.ts';
import { Field } from '../../components/Field.tsx';
import { FormActions } from '../../components/FormActions.tsx';
import { Modal } from '../../components/Modal.tsx';
import { Notice } from '../../components/Notice.tsx';
import { RadioCards } from '../../components/RadioCards.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';
import { saveLastApplicationId } from '../../shell/persistedState.ts';
import { useEnvironment } from '../../shell/useEnvironment.ts';
import { parseOrigins, validateOrigins } from './origins.ts';

const environments = [
  {
    value: 'sandbox',
    label: 'Sandbox',
    hint: 'A simulated bank with test users for every case. For development and testing.',
  },
  { value: 'production', label: 'Production', hint: 'Real banks and real people’s data.' },
] as const;

export const NewApplication = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => (
  <Modal title="New application" isOpen={isOpen} onClose={onClose}>
    <NewApplicationForm onClose={onClose} />
  </Modal>
);

const NewApplicationForm = ({ onClose }: { onClose: () => void }) => {
  const { organization, root } = useOrgContext();
  const [, navigate] = useLocation();
  const [name, setName] = useState('');
  const [environment, setEnvironment] = useState(useEnvironment() ?? 'sandbox');
  const [origins, setOrigins] = useState('');
  const creating = useApiMutation(
    (body: Schemas['NewApplication']) => createApplication(organization.id, body),
    {
      invalidates: [['applications', organization.id]],
      onSuccess: ({ id }) => {
        saveLastApplicationId(organization.id, id);
        navigate(`${root}/applications/${id}/api-keys`);
      },
    },
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        creating.mutate({ name: name.trim(), environment, origins: parseOrigins(origins) });
      }}
    >
      {creating.error && <Notice tone="bad">{errorMessage(creating.error)}</Notice>}
      <Field
        label="Name"
        hint="Users see it in the widget when they connect their bank."
        isRequired
        maxLength={100}
        autoFocus
        value={name}
        onChange={setName}
      />
      <RadioCards
        label="Environment (can’t be changed later)"
        value={environment}
        options={environments}
        onChange={setEnvironment}
      />
      <Field
        label="Allowed origins (optional)"
        hint="The addresses of the pages that may open the widget, one per line. You can change them later."
        placeholder="https://shop.example"
        multiline
        mono
        value={origins}
        onChange={setOrigins}
        validate={validateOrigins}
      />
      <FormActions onCancel={onClose} isPending={creating.isPending}>
        Create application
      </FormActions>
    </form>
  );
};
