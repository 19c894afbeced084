// Requires all members to use passkeys. The owner confirms the change with their own passkey.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { passkeysQuery } from '../../api/account.ts';
import { ApiError, errorMessage } from '../../api/apiClient.ts';
import { setPasskeyRequirement } from '../../api/members.ts';
import { sessionQueryKey, useApiMutation } from '../../api/queryClient.ts';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { Modal } from '../../components/Modal.tsx';
import { Notice } from '../../components/Notice.tsx';
import { Switch } from '../../components/Switch.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';
import { answerPasskeyChallenge } from '../signIn/answerPasskeyChallenge.ts';
import { passkeyErrorMessage } from '../signIn/passkeyErrorMessage.ts';

const note =
  'Unlike passwords, passkeys are resistant to phishing. Sign-ins with a company account are not affected.';

export const RequirePasskeys = () => {
  const { organization } = useOrgContext();
  const passkeys = useQuery(passkeysQuery);
  const [isConfirming, setConfirming] = useState(false);
  return (
    <Card title="Passkeys" description={note}>
      {passkeys.isError && (
        <ErrorNotice
          error={passkeys.error}
          onRetry={() => passkeys.refetch()}
          isRetrying={passkeys.isFetching}
        />
      )}
      <div className="stack tight">
        <Switch
          isSelected={organization.passkeysRequired}
          isDisabled={!passkeys.data?.length}
          onChange={() => setConfirming(true)}
        >
          Require a passkey from all members
        </Switch>
        <p className="hint">
          {passkeys.data?.length === 0 ? (
            <>
              You don’t have a passkey yet. Add one in <Link to="/account">your account</Link> first.
            </>
          ) : (
            'You confirm each change with your own passkey.'
          )}
        </p>
      </div>
      <Modal title={titleOf(organization)} isOpen={isConfirming} onClose={() => setConfirming(false)} alert>
        <ConfirmRequirement onClose={() => setConfirming(false)} />
      </Modal>
    </Card>
  );
};

const titleOf = ({ passkeysRequired }: { passkeysRequired: boolean }): string =>
  passkeysRequired ? 'No longer require passkeys?' : 'Require passkeys?';

const ConfirmRequirement = ({ onClose }: { onClose: () => void }) => {
  const { organization } = useOrgContext();
  const isRequired = !organization.passkeysRequired;
  const changing = useApiMutation(
    async () =>
      setPasskeyRequirement(organization.id, { isRequired, confirmation: await answerPasskeyChallenge() }),
    { invalidates: [[...sessionQueryKey], ['me', 'passkeys']], onSuccess: onClose },
  );
  return (
    <>
      <p>
        {isRequired
          ? 'Members signed in with a password can’t do anything until they add a passkey, or use the one they have. This also applies to their other organizations.'
          : 'Members can use a password alone again. They keep their passkeys.'}
      </p>
      {changing.error && <Notice tone="bad">{confirmErrorMessage(changing.error)}</Notice>}
      <div className="actions">
        <Button onPress={onClose} autoFocus>
          Cancel
        </Button>
        <Button primary isPending={changing.isPending} onPress={() => changing.mutate(undefined)}>
          Confirm with your passkey
        </Button>
      </div>
    </>
  );
};

/** A 403 here means that the passkey belongs to another member or was removed. */
const confirmErrorMessage = (error: Error): string => {
  if (!(error instanceof ApiError)) return passkeyErrorMessage(error);
  return error.code === 'forbidden'
    ? 'This passkey doesn’t belong to your account. Use another one.'
    : errorMessage(error);
};
