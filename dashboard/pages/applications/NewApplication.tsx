// Creating an application. Its environment is chosen here and never again.
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { useLocation } from 'wouter';
import { Button } from '../../parts/Button.tsx';
import { ChooseCard } from '../../parts/Choose.tsx';
import { Field } from '../../parts/Field.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { Window } from '../../parts/Window.tsx';
import { createApplication } from '../../service/applications.ts';
import { inWords, type Shape } from '../../service/conversation.ts';
import { useChange } from '../../service/queries.ts';
import { usePlace } from '../../shell/place.ts';
import { rememberApplication } from '../../shell/remembered.ts';
import { originsIn, originsProblem } from './origins.ts';

const environments = [
  {
    value: 'sandbox',
    label: 'Sandbox',
    hint: 'A made-up bank with users for every case. For building and testing.',
  },
  { value: 'production', label: 'Production', hint: 'Real banks and real people’s data.' },
] as const;

export const NewApplication = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => (
  <Window title="New application" isOpen={isOpen} onClose={onClose}>
    <NewApplicationForm onClose={onClose} />
  </Window>
);

const NewApplicationForm = ({ onClose }: { onClose: () => void }) => {
  const { organization, root } = usePlace();
  const [, go] = useLocation();
  const [name, setName] = useState('');
  const [environment, setEnvironment] = useState<Shape['Environment']>('sandbox');
  const [origins, setOrigins] = useState('');
  const making = useChange((body: Shape['NewApplication']) => createApplication(organization.id, body), {
    refreshes: [['applications', organization.id]],
    onDone: ({ id }) => {
      rememberApplication(organization.id, id);
      go(`${root}/applications/${id}/keys`);
    },
  });
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        making.mutate({ name: name.trim(), environment, origins: originsIn(origins) });
      }}
    >
      {making.error && <Notice tone="bad">{inWords(making.error)}</Notice>}
      <Field
        label="Name"
        hint="Users see it in the widget when they connect their bank."
        isRequired
        maxLength={100}
        autoFocus
        value={name}
        onChange={setName}
      />
      <ChooseCard
        label="Environment, fixed for good"
        value={environment}
        options={environments}
        onChange={setEnvironment}
      />
      <Field
        label="Allowed origins (optional)"
        hint="The addresses of your pages that may open the widget, one on each line. You can change them later."
        placeholder="https://shop.example"
        multiline
        mono
        value={origins}
        onChange={setOrigins}
        validate={originsProblem}
      />
      <div className="actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button type="submit" primary isPending={making.isPending}>
          Create application
        </Button>
      </div>
    </Form>
  );
};
