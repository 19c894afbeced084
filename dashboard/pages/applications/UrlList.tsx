// A card with an application's URLs, edited one per line.
import { useState } from 'react';
import { errorMessage, type Schemas } from '../../api/apiClient.ts';
import type { Application } from '../../api/applications.ts';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { Field } from '../../components/Field.tsx';
import { Notice } from '../../components/Notice.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';
import { useUpdateApplication } from './useUpdateApplication.ts';

type Props = {
  application: Application;
  urls: string[];
  title: string;
  description: string;
  /** Shown if there are no URLs. */
  empty: string;
  label: string;
  placeholder: string;
  parse: (text: string) => string[];
  /** The error message for the first invalid URL, or null. */
  validate: (text: string) => string | null;
  toUpdate: (urls: string[]) => Schemas['ApplicationUpdate'];
};

export const UrlList = (props: Props) => {
  const { urls, title, description, empty } = props;
  const { hasRole } = useOrgContext();
  const [isEditing, setEditing] = useState(false);
  const editButton = hasRole('developer') && !isEditing && (
    <Button compact onPress={() => setEditing(true)}>
      Change
    </Button>
  );
  return (
    <Card title={title} description={description} actions={editButton}>
      {isEditing ? (
        <UrlForm {...props} onClose={() => setEditing(false)} />
      ) : urls.length ? (
        <ul className="stack tight">
          {urls.map((url) => (
            <li key={url}>
              <code>{url}</code>
            </li>
          ))}
        </ul>
      ) : (
        <p className="muted">{empty}</p>
      )}
    </Card>
  );
};

const UrlForm = ({
  application,
  urls,
  label,
  placeholder,
  parse,
  validate,
  toUpdate,
  onClose,
}: Props & { onClose: () => void }) => {
  const [text, setText] = useState(urls.join('\n'));
  const update = useUpdateApplication(application);
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        update.mutate(toUpdate(parse(text)), { onSuccess: onClose });
      }}
    >
      {update.error && <Notice tone="bad">{errorMessage(update.error)}</Notice>}
      <Field
        label={label}
        placeholder={placeholder}
        multiline
        mono
        autoFocus
        value={text}
        onChange={setText}
        validate={validate}
      />
      <div className="actions">
        <Button type="submit" primary isPending={update.isPending}>
          Save
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </div>
    </form>
  );
};
