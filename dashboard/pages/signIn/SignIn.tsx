// Signs in with a password, a passkey, or the company's OpenID provider if one is configured.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearch } from 'wouter';
import { ApiError, errorMessage } from '../../api/apiClient.ts';
import { sessionQueryKey, useApiMutation } from '../../api/queryClient.ts';
import {
  type Session,
  signIn,
  signInOptionsQuery,
  signInWithPasskey,
  startOidcSignIn,
} from '../../api/session.ts';
import { Button } from '../../components/Button.tsx';
import { Field } from '../../components/Field.tsx';
import { KeyRound } from '../../components/icons.tsx';
import { Notice } from '../../components/Notice.tsx';
import { answerPasskeyChallenge } from './answerPasskeyChallenge.ts';
import { passkeyErrorMessage } from './passkeyErrorMessage.ts';
import { SignInLayout } from './SignInLayout.tsx';

const firstOwnerNote =
  'There are no accounts yet. At startup, the service printed a one-time link for the first owner to the terminal.';

const oidcErrorMessages: Record<string, string> = {
  not_invited: 'This account was not invited. Ask an owner of your organization to invite its email.',
  email_not_verified: 'Your provider has not verified this account’s email.',
  failed: 'Sign-in with your provider failed. Try again.',
};

export const SignIn = () => {
  const options = useQuery(signInOptionsQuery);
  if (options.data?.hasMembers === false) return <FirstRun />;
  return (
    <SignInLayout title="Sign in">
      <SignInMethods oidc={options.data?.oidc ?? false} />
    </SignInLayout>
  );
};

/** Shown until the first owner has accepted the link from the terminal. */
const FirstRun = () => (
  <SignInLayout title="Welcome" description={firstOwnerNote}>
    <Notice>
      <p>Open that link in this browser. If it has expired, restart the service: it prints a new one.</p>
    </Notice>
  </SignInLayout>
);

const SignInMethods = ({ oidc }: { oidc: boolean }) => {
  const client = useQueryClient();
  const errorCode = new URLSearchParams(useSearch()).get('error');
  const onSuccess = (session: Session) => client.setQueryData(sessionQueryKey, session);
  const byPassword = useApiMutation(signIn, { onSuccess });
  const byPasskey = useApiMutation(authenticateWithPasskey, { onSuccess });
  const byOidc = useApiMutation(startOidcSignIn, { onSuccess: ({ url }) => window.location.assign(url) });
  const error = byPassword.error ?? byPasskey.error ?? byOidc.error;
  const refused = byPassword.error
    ? 'Wrong email or password.'
    : 'This passkey wasn’t accepted. Try again, or use your password.';
  const resetErrors = () => [byPassword, byPasskey, byOidc].forEach((mutation) => void mutation.reset());
  return (
    <>
      {errorCode && !error && (
        <Notice tone="bad">{oidcErrorMessages[errorCode] ?? oidcErrorMessages.failed}</Notice>
      )}
      {error && <Notice tone="bad">{signInErrorMessage(error, refused)}</Notice>}
      <PasswordForm
        isPending={byPassword.isPending}
        onSubmit={(values) => {
          resetErrors();
          byPassword.mutate(values);
        }}
      />
      <div className="divider">or</div>
      <div className="stack tight">
        <Button
          wide
          isPending={byPasskey.isPending}
          onPress={() => {
            resetErrors();
            byPasskey.mutate(undefined);
          }}
        >
          <KeyRound size={16} aria-hidden="true" />
          Sign in with a passkey
        </Button>
        {oidc && (
          <Button
            wide
            isPending={byOidc.isPending}
            onPress={() => {
              resetErrors();
              byOidc.mutate(undefined);
            }}
          >
            Sign in with your company account
          </Button>
        )}
      </div>
      <p className="small muted">Forgot your password? Ask an owner of your organization for a reset link.</p>
    </>
  );
};

const authenticateWithPasskey = async (): Promise<Session> =>
  signInWithPasskey(await answerPasskeyChallenge());

const signInErrorMessage = (error: Error, refused: string): string => {
  if (!(error instanceof ApiError)) return `${passkeyErrorMessage(error)} You can also use your password.`;
  return error.code === 'unauthorized' ? refused : errorMessage(error);
};

type FormProps = { isPending: boolean; onSubmit: (values: { email: string; password: string }) => void };

const PasswordForm = ({ isPending, onSubmit }: FormProps) => {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit({ email: email.trim(), password });
      }}
    >
      <Field
        label="Email"
        type="email"
        name="email"
        autoComplete="username webauthn"
        isRequired
        maxLength={254}
        value={email}
        onChange={setEmail}
      />
      <Field
        label="Password"
        type="password"
        name="password"
        autoComplete="current-password"
        isRequired
        maxLength={200}
        value={password}
        onChange={setPassword}
      />
      <Button type="submit" primary wide isPending={isPending}>
        Sign in
      </Button>
    </form>
  );
};
