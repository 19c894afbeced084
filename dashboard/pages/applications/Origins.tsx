// Which web pages may open the widget for this application.
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Field } from '../../parts/Field.tsx';
import { Notice } from '../../parts/Notice.tsx';
import type { Application } from '../../service/applications.ts';
import { inWords } from '../../service/conversation.ts';
import { usePlace } from '../../shell/place.ts';
import { useApplicationChange } from './applicationChange.ts';
import { originsIn, originsProblem } from './origins.ts';

export const Origins = ({ application }: { application: Application }) => {
  const { may } = usePlace();
  const [isEditing, setEditing] = useState(false);
  const edit = may('developer') && !isEditing && (
    <Button compact onPress={() => setEditing(true)}>
      Change
    </Button>
  );
  return (
    <Card
      title="Allowed origins"
      note="Only web pages at these addresses can open the widget for this application."
      actions={edit}
    >
      {isEditing ? (
        <OriginsForm application={application} onClose={() => setEditing(false)} />
      ) : (
        <OriginList origins={application.origins} />
      )}
    </Card>
  );
};

const OriginList = ({ origins }: { origins: string[] }) =>
  origins.length ? (
    <ul className="stack tight">
      {origins.map((origin) => (
        <li key={origin}>
          <code>{origin}</code>
        </li>
      ))}
    </ul>
  ) : (
    <p className="soft">None yet: no web page can open the widget. Add the address of your page.</p>
  );

const OriginsForm = ({ application, onClose }: { application: Application; onClose: () => void }) => {
  const [text, setText] = useState(application.origins.join('\n'));
  const change = useApplicationChange(application);
  return (
    <Form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ origins: originsIn(text) }, { onSuccess: onClose });
      }}
    >
      {change.error && <Notice tone="bad">{inWords(change.error)}</Notice>}
      <Field
        label="Origins, one on each line"
        placeholder="https://shop.example"
        multiline
        mono
        autoFocus
        value={text}
        onChange={setText}
        validate={originsProblem}
      />
      <div className="actions">
        <Button type="submit" primary isPending={change.isPending}>
          Save
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </div>
    </Form>
  );
};
