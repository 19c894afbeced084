// A card with addresses of an application, which are edited one per line.
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
  addresses: string[];
  title: string;
  description: string;
  /** Shown while there are no addresses. */
  empty: string;
  label: string;
  placeholder: string;
  parse: (text: string) => string[];
  /** An error message for the first invalid address, or null. */
  validate: (text: string) => string | null;
  toUpdate: (addresses: string[]) => Schemas['ApplicationUpdate'];
};

export const AddressList = (props: Props) => {
  const { addresses, title, description, empty } = props;
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
        <AddressForm {...props} onClose={() => setEditing(false)} />
      ) : addresses.length ? (
        <ul className="stack tight">
          {addresses.map((address) => (
            <li key={address}>
              <code>{address}</code>
            </li>
          ))}
        </ul>
      ) : (
        <p className="muted">{empty}</p>
      )}
    </Card>
  );
};

const AddressForm = ({
  application,
  addresses,
  label,
  placeholder,
  parse,
  validate,
  toUpdate,
  onClose,
}: Props & { onClose: () => void }) => {
  const [text, setText] = useState(addresses.join('\n'));
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
