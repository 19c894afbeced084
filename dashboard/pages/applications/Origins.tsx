// The web origins that may open the widget for this application.
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { errorMessage } from '../../api/apiClient.ts';
import type { Application } from '../../api/applications.ts';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { Field } from '../../components/Field.tsx';
import { Notice } from '../../components/Notice.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';
import { parseOrigins, validateOrigins } from './origins.ts';
import { useUpdateApplication } from './useUpdateApplication.ts';

export const Origins = ({ application }: { application: Application }) => {
  const { hasRole } = useOrgContext();
  const [isEditing, setEditing] = useState(false);
  const editButton = hasRole('developer') && !isEditing && (
    <Button compact onPress={() => setEditing(true)}>
      Change
    </Button>
  );
  return (
    <Card
      title="Allowed origins"
      description="Only web pages at these addresses can open the widget for this application."
      actions={editButton}
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
    <p className="muted">None yet: no web page can open the widget. Add the address of your page.</p>
  );

const OriginsForm = ({ application, onClose }: { application: Application; onClose: () => void }) => {
  const [text, setText] = useState(application.origins.join('\n'));
  const update = useUpdateApplication(application);
  return (
    <Form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        update.mutate({ origins: parseOrigins(text) }, { onSuccess: onClose });
      }}
    >
      {update.error && <Notice tone="bad">{errorMessage(update.error)}</Notice>}
      <Field
        label="Origins, one on each line"
        placeholder="https://shop.example"
        multiline
        mono
        autoFocus
        value={text}
        onChange={setText}
        validate={validateOrigins}
      />
      <div className="actions">
        <Button type="submit" primary isPending={update.isPending}>
          Save
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </div>
    </Form>
  );
};
