// The only page in a session without a passkey if an organization requires one: the member adds a first passkey or uses an
// existing one.
import { useQueryClient } from '@tanstack/react-query';
import { ApiError, errorMessage } from '../../api/apiClient.ts';
import { sessionQueryKey, useApiMutation } from '../../api/queryClient.ts';
import { type Session, signInWithPasskey, signOut } from '../../api/session.ts';
import { Button } from '../../components/Button.tsx';
import { KeyRound } from '../../components/icons.tsx';
import { Notice } from '../../components/Notice.tsx';
import { AddPasskeyForm } from '../account/AddPasskey.tsx';
import { answerPasskeyChallenge } from './answerPasskeyChallenge.ts';
import { passkeyErrorMessage } from './passkeyErrorMessage.ts';
import { SignInLayout } from './SignInLayout.tsx';

export const RequiredPasskey = ({ session }: { session: Session }) =>
  session.session.requiredStep === 'add_passkey' ? (
    <AddFirst session={session} />
  ) : (
    <UseOne session={session} />
  );

/** For example "Northwind and Acme require". */
const requirersOf = ({ organizations }: Session): string => {
  const names = organizations.filter((one) => one.passkeysRequired).map(({ name }) => name);
  return `${new Intl.ListFormat('en').format(names)} ${names.length === 1 ? 'requires' : 'require'}`;
};

const AddFirst = ({ session }: { session: Session }) => {
  const client = useQueryClient();
  return (
    <SignInLayout
      title="Add a passkey"
      description={`${requirersOf(session)} a passkey from all members. Your device or password manager stores it and signs you in with your fingerprint, face or PIN.`}
    >
      <AddPasskeyForm
        hasPassword={session.member.hasPassword}
        cancelButton={<SignOutButton />}
        onAdded={() => void client.invalidateQueries({ queryKey: sessionQueryKey })}
      />
    </SignInLayout>
  );
};

const UseOne = ({ session }: { session: Session }) => {
  const client = useQueryClient();
  const signingIn = useApiMutation(async () => signInWithPasskey(await answerPasskeyChallenge()), {
    onSuccess: (next) => client.setQueryData(sessionQueryKey, next),
  });
  return (
    <SignInLayout
      title="Use your passkey"
      description={`${requirersOf(session)} a passkey from all members. A password alone is not enough.`}
    >
      {signingIn.error && <Notice tone="bad">{passkeySignInMessage(signingIn.error)}</Notice>}
      <Button
        primary
        wide
        autoFocus
        isPending={signingIn.isPending}
        onPress={() => signingIn.mutate(undefined)}
      >
        <KeyRound size={16} aria-hidden="true" />
        Continue with your passkey
      </Button>
      <div className="actions">
        <SignOutButton />
      </div>
      <p className="small muted">
        Lost your passkey? Ask an owner of your organization for a reset link. Use it to choose a new
        password, then add a new passkey.
      </p>
    </SignInLayout>
  );
};

const passkeySignInMessage = (error: Error): string => {
  if (!(error instanceof ApiError)) return passkeyErrorMessage(error);
  return error.code === 'unauthorized' ? 'This passkey wasn’t accepted. Try again.' : errorMessage(error);
};

const SignOutButton = () => {
  const client = useQueryClient();
  const signingOut = useApiMutation(signOut, {
    onSuccess: () => {
      client.clear();
      client.setQueryData(sessionQueryKey, null);
    },
  });
  return (
    <Button isPending={signingOut.isPending} onPress={() => signingOut.mutate(undefined)}>
      Sign out
    </Button>
  );
};
