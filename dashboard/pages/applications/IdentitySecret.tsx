// The secret with which a backend signs its user ids, so that nobody can open the widget as somebody else.
import { useState } from 'react';
import { errorMessage } from '../../api/apiClient.ts';
import { type Application, createIdentitySecret } from '../../api/applications.ts';
import { useApiMutation } from '../../api/queryClient.ts';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { ConfirmModal } from '../../components/Modal.tsx';
import { Notice } from '../../components/Notice.tsx';
import { OneTimeSecretModal } from '../../components/OneTimeSecretModal.tsx';
import { Switch } from '../../components/Switch.tsx';
import { Timestamp } from '../../components/Timestamp.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';
import { useUpdateApplication } from './useUpdateApplication.ts';

const signedUsersNote =
  'Your backend signs the external user id with a secret. Then nobody can open the widget in the name of another user by changing the page.';

export const IdentitySecret = ({ application }: { application: Application }) => {
  const { hasRole } = useOrgContext();
  const { secretCreatedAt } = application.identity;
  return (
    <Card
      title="Signed users"
      description={signedUsersNote}
      actions={hasRole('developer') && <CreateSecret application={application} />}
    >
      <dl className="facts">
        <dt>Signing secret</dt>
        <dd>
          {secretCreatedAt ? (
            <>
              Made <Timestamp at={secretCreatedAt} absolute />
            </>
          ) : (
            'None yet'
          )}
        </dd>
      </dl>
      <SignatureRequirement application={application} />
    </Card>
  );
};

const SignatureRequirement = ({ application }: { application: Application }) => {
  const { hasRole } = useOrgContext();
  const change = useUpdateApplication(application);
  const { required, secretCreatedAt } = application.identity;
  if (!hasRole('developer')) {
    return <p>{required ? 'A signature is required.' : 'A signature is not required.'}</p>;
  }
  return (
    <div className="stack tight">
      {change.error && <Notice tone="bad">{errorMessage(change.error)}</Notice>}
      <Switch
        isSelected={change.isPending ? change.variables.identityRequired! : required}
        isDisabled={!secretCreatedAt || change.isPending}
        onChange={(identityRequired) => change.mutate({ identityRequired })}
      >
        Refuse an external user id without a valid signature
      </Switch>
      <p className="hint">
        {secretCreatedAt
          ? 'Turn it on once your backend sends the signature; until then, the widget would be refused.'
          : 'Make a secret first.'}
      </p>
    </div>
  );
};

const CreateSecret = ({ application }: { application: Application }) => {
  const [isAsking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string>();
  const has = application.identity.secretCreatedAt !== null;
  const making = useApiMutation(() => createIdentitySecret(application.id), {
    invalidates: [['application', application.id]],
    onSuccess: (made) => {
      setSecret(made.secret);
      setAsking(false);
    },
  });
  const make = () => making.mutate(undefined);
  return (
    <>
      <Button compact isPending={making.isPending && !isAsking} onPress={has ? () => setAsking(true) : make}>
        {has ? 'Replace the secret' : 'Make a secret'}
      </Button>
      {!isAsking && making.error && <Notice tone="bad">{errorMessage(making.error)}</Notice>}
      <ConfirmModal
        title="Replace the signing secret?"
        action="Replace the secret"
        isOpen={isAsking}
        isPending={making.isPending}
        error={making.error}
        onConfirm={make}
        onClose={() => setAsking(false)}
      >
        <p>
          The present secret stops working at once. Until your backend has the new one, its signatures are
          refused.
        </p>
      </ConfirmModal>
      <OneTimeSecretModal
        title="Your signing secret"
        label="signing secret"
        secret={secret}
        onClose={() => setSecret(undefined)}
      >
        Keep it in your backend only. Sign the external user id with it (HMAC-SHA256, in hex).
      </OneTimeSecretModal>
    </>
  );
};
