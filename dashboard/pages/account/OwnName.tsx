// What the others read in the list of members and in the audit log.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Field } from '../../parts/Field.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { rename } from '../../service/account.ts';
import { inWords } from '../../service/conversation.ts';
import { sessionKey, useChange } from '../../service/queries.ts';
import { usePlace } from '../../shell/place.ts';

export const OwnName = () => {
  const { member } = usePlace().session;
  const client = useQueryClient();
  const [name, setName] = useState(member.name);
  const renaming = useChange(rename, { onDone: (session) => client.setQueryData(sessionKey, session) });
  return (
    <Card title="Name">
      {renaming.error && <Notice tone="bad">{inWords(renaming.error)}</Notice>}
      {renaming.isSuccess && name.trim() === member.name && (
        <Notice tone="good">Your name is changed.</Notice>
      )}
      <Form
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
      </Form>
    </Card>
  );
};
