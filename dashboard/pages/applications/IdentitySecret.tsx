// Manages the secret with which a backend signs external user ids and the connections to reconnect, so that nobody can open the
// widget for another user.
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

const signedUserIdsNote =
  'Your backend signs the external user id and the connection to reconnect, so that nobody can open the widget for another user by changing the page.';

export const IdentitySecret = ({ application }: { application: Application }) => {
  const { hasRole } = useOrgContext();
  const { secretCreatedAt } = application.identity;
  return (
    <Card
      title="Signed user ids"
      description={signedUserIdsNote}
      actions={hasRole('developer') && <CreateSecret application={application} />}
    >
      <dl className="definition-list">
        <dt>Signing secret</dt>
        <dd>
          {secretCreatedAt ? (
            <>
              Created <Timestamp at={secretCreatedAt} absolute />
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
  const update = useUpdateApplication(application);
  const { required, secretCreatedAt } = application.identity;
  if (!hasRole('developer')) {
    return <p>{required ? 'A signature is required.' : 'A signature is not required.'}</p>;
  }
  return (
    <div className="stack tight">
      {update.error && <Notice tone="bad">{errorMessage(update.error)}</Notice>}
      <Switch
        isSelected={update.isPending ? update.variables.identityRequired! : required}
        isDisabled={!secretCreatedAt || update.isPending}
        onChange={(identityRequired) => update.mutate({ identityRequired })}
      >
        Require a valid signature for external user ids and reconnects
      </Switch>
      <p className="hint">
        {secretCreatedAt
          ? 'Turn this on once your backend sends signatures. Until then, it would lock your users out.'
          : 'Create a secret first.'}
      </p>
    </div>
  );
};

const CreateSecret = ({ application }: { application: Application }) => {
  const [isConfirming, setConfirming] = useState(false);
  const [secret, setSecret] = useState<string>();
  const hasSecret = application.identity.secretCreatedAt !== null;
  const creating = useApiMutation(() => createIdentitySecret(application.id), {
    invalidates: [['application', application.id]],
    onSuccess: (created) => {
      setSecret(created.secret);
      setConfirming(false);
    },
  });
  const create = () => creating.mutate(undefined);
  return (
    <>
      <Button
        compact
        isPending={creating.isPending && !isConfirming}
        onPress={hasSecret ? () => setConfirming(true) : create}
      >
        {hasSecret ? 'Replace secret' : 'Create secret'}
      </Button>
      {!isConfirming && creating.error && <Notice tone="bad">{errorMessage(creating.error)}</Notice>}
      <ConfirmModal
        title="Replace the signing secret?"
        action="Replace secret"
        isOpen={isConfirming}
        isPending={creating.isPending}
        error={creating.error}
        onConfirm={create}
        onClose={() => setConfirming(false)}
      >
        <p>
          The current secret stops working immediately. Until your backend has the new one, its signatures are
          refused.
        </p>
      </ConfirmModal>
      <OneTimeSecretModal
        title="Your signing secret"
        label="signing secret"
        secret={secret}
        onClose={() => setSecret(undefined)}
      >
        Store it only in your backend, which uses it to sign. See the code samples.
      </OneTimeSecretModal>
    </>
  );
};
