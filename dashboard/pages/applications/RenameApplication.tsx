// Another name for an application: users see it in the widget from then on.
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { errorMessage } from '../../api/apiClient.ts';
import type { Application } from '../../api/applications.ts';
import { Button } from '../../components/Button.tsx';
import { Field } from '../../components/Field.tsx';
import { Window } from '../../components/Modal.tsx';
import { Notice } from '../../components/Notice.tsx';
import { useUpdateApplication } from './useUpdateApplication.ts';

export const RenameApplication = ({ application }: { application: Application }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button compact onPress={() => setOpen(true)}>
        Rename
      </Button>
      <Window title="Rename the application" isOpen={isOpen} onClose={() => setOpen(false)}>
        <RenameForm application={application} onClose={() => setOpen(false)} />
      </Window>
    </>
  );
};

const RenameForm = ({ application, onClose }: { application: Application; onClose: () => void }) => {
  const [name, setName] = useState(application.name);
  const change = useUpdateApplication(application);
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ name: name.trim() }, { onSuccess: onClose });
      }}
    >
      {change.error && <Notice tone="bad">{errorMessage(change.error)}</Notice>}
      <Field
        label="Name"
        hint="Users see it in the widget when they connect their bank."
        isRequired
        maxLength={100}
        autoFocus
        value={name}
        onChange={setName}
      />
      <div className="actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button type="submit" primary isPending={change.isPending}>
          Rename
        </Button>
      </div>
    </Form>
  );
};
