// Renames an application. End users see the name in the widget.
import { useState } from 'react';
import { errorMessage } from '../../api/apiClient.ts';
import type { Application } from '../../api/applications.ts';
import { Button } from '../../components/Button.tsx';
import { Field } from '../../components/Field.tsx';
import { FormActions } from '../../components/FormActions.tsx';
import { Modal } from '../../components/Modal.tsx';
import { Notice } from '../../components/Notice.tsx';
import { useUpdateApplication } from './useUpdateApplication.ts';

export const RenameApplication = ({ application }: { application: Application }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button compact onPress={() => setOpen(true)}>
        Rename
      </Button>
      <Modal title="Rename application" isOpen={isOpen} onClose={() => setOpen(false)}>
        <RenameForm application={application} onClose={() => setOpen(false)} />
      </Modal>
    </>
  );
};

const RenameForm = ({ application, onClose }: { application: Application; onClose: () => void }) => {
  const [name, setName] = useState(application.name);
  const update = useUpdateApplication(application);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        update.mutate({ name: name.trim() }, { onSuccess: onClose });
      }}
    >
      {update.error && <Notice tone="bad">{errorMessage(update.error)}</Notice>}
      <Field
        label="Name"
        hint="Users see it in the widget when they connect their bank."
        isRequired
        maxLength={100}
        autoFocus
        value={name}
        onChange={setName}
      />
      <FormActions onCancel={onClose} isPending={update.isPending}>
        Rename
      </FormActions>
    </form>
  );
};
