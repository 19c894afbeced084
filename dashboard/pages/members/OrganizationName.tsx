// What the organization is called.
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Field } from '../../parts/Field.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { inWords } from '../../service/conversation.ts';
import { renameOrganization } from '../../service/members.ts';
import { sessionKey, useChange } from '../../service/queries.ts';
import { usePlace } from '../../shell/place.ts';

export const OrganizationName = () => {
  const { organization } = usePlace();
  const [name, setName] = useState(organization.name);
  const renaming = useChange((chosen: string) => renameOrganization(organization.id, chosen), {
    refreshes: [[...sessionKey]],
  });
  const isSame = name.trim() === organization.name;
  return (
    <Card title="Organization">
      {renaming.error && <Notice tone="bad">{inWords(renaming.error)}</Notice>}
      <Form
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
      </Form>
    </Card>
  );
};
