// Changes the member's name, which the member list and the audit log show.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { updateProfile } from '../../api/account.ts';
import { errorMessage } from '../../api/apiClient.ts';
import { sessionQueryKey, useApiMutation } from '../../api/queryClient.ts';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { Field } from '../../components/Field.tsx';
import { Notice } from '../../components/Notice.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';

export const ChangeName = () => {
  const { member } = useOrgContext().session;
  const client = useQueryClient();
  const [name, setName] = useState(member.name);
  const renaming = useApiMutation(updateProfile, {
    onSuccess: (session) => client.setQueryData(sessionQueryKey, session),
  });
  return (
    <Card title="Name">
      {renaming.error && <Notice tone="bad">{errorMessage(renaming.error)}</Notice>}
      {renaming.isSuccess && name.trim() === member.name && (
        <Notice tone="good">Your name was changed.</Notice>
      )}
      <form
        className="narrow-form"
        onSubmit={(event) => {
          event.preventDefault();
          renaming.mutate(name.trim());
        }}
      >
        <Field
          label="Your name"
          autoComplete="name"
          isRequired
          maxLength={100}
          value={name}
          onChange={setName}
        />
        <Button type="submit" isDisabled={name.trim() === member.name} isPending={renaming.isPending}>
          Save
        </Button>
      </form>
    </Card>
  );
};
