// A new access key: named, perhaps with an end, and shown once.
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { Button } from '../../parts/Button.tsx';
import { Choose } from '../../parts/Choose.tsx';
import { Field } from '../../parts/Field.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { ShownOnce } from '../../parts/ShownOnce.tsx';
import { Window } from '../../parts/Window.tsx';
import { type Application, createApiKey } from '../../service/applications.ts';
import { inWords, type Shape } from '../../service/conversation.ts';
import { useChange } from '../../service/queries.ts';

const lives = [
  { value: 'never', label: 'Does not expire', days: undefined },
  { value: 'month', label: 'In 30 days', days: 30 },
  { value: 'quarter', label: 'In 90 days', days: 90 },
  { value: 'year', label: 'In a year', days: 365 },
] as const;

type Life = (typeof lives)[number]['value'];

const expiryOf = (life: Life): string | undefined => {
  const days = lives.find(({ value }) => value === life)?.days;
  return days && new Date(Date.now() + days * 86_400_000).toISOString();
};

type NewAccessKeyProps = { application: Application; isOpen: boolean; onClose: () => void };

export const NewAccessKey = ({ application, isOpen, onClose }: NewAccessKeyProps) => {
  const [text, setText] = useState<string>();
  return (
    <>
      <Window title="New access key" isOpen={isOpen} onClose={onClose}>
        <NewAccessKeyForm
          application={application}
          onClose={onClose}
          onMade={({ apiKey }) => {
            onClose();
            setText(apiKey);
          }}
        />
      </Window>
      <ShownOnce title="Your access key" what="access key" text={text} onClose={() => setText(undefined)}>
        Keep it where your backend keeps its secrets, and send it with every request in the header{' '}
        <code>Authorization: Bearer …</code>
      </ShownOnce>
    </>
  );
};

type FormProps = {
  application: Application;
  onClose: () => void;
  onMade: (made: Shape['MadeApiKey']) => void;
};

const NewAccessKeyForm = ({ application, onClose, onMade }: FormProps) => {
  const [name, setName] = useState('');
  const [life, setLife] = useState<Life>('never');
  const making = useChange((body: Shape['NewApiKey']) => createApiKey(application.id, body), {
    refreshes: [['keys', application.id]],
    onDone: onMade,
  });
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        making.mutate({ name: name.trim(), expiresAt: expiryOf(life) });
      }}
    >
      {making.error && <Notice tone="bad">{inWords(making.error)}</Notice>}
      <Field
        label="Name"
        hint="Where it is used, so that you know it again: “backend, Frankfurt”."
        isRequired
        maxLength={100}
        autoFocus
        value={name}
        onChange={setName}
      />
      <Choose label="Expires" value={life} options={lives} onChange={setLife} />
      <div className="actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button type="submit" primary isPending={making.isPending}>
          Create access key
        </Button>
      </div>
    </Form>
  );
};
