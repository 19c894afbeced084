// Renames the organization.
import { useState } from 'react';
import { errorMessage } from '../../api/apiClient.ts';
import { renameOrganization } from '../../api/members.ts';
import { sessionQueryKey, useApiMutation } from '../../api/queryClient.ts';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { Field } from '../../components/Field.tsx';
import { Notice } from '../../components/Notice.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';

export const OrganizationName = () => {
  const { organization } = useOrgContext();
  const [name, setName] = useState(organization.name);
  const renaming = useApiMutation((newName: string) => renameOrganization(organization.id, newName), {
    invalidates: [[...sessionQueryKey]],
  });
  const isSame = name.trim() === organization.name;
  return (
    <Card title="Organization">
      {renaming.error && <Notice tone="bad">{errorMessage(renaming.error)}</Notice>}
      <form
        className="inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          renaming.mutate(name.trim());
        }}
      >
        <Field label="Name" isRequired maxLength={100} value={name} onChange={setName} />
        <Button type="submit" isDisabled={isSame || !name.trim()} isPending={renaming.isPending}>
          Rename
        </Button>
      </form>
    </Card>
  );
};
