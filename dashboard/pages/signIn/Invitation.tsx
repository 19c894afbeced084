// Accepting an invitation: somebody new chooses a name and a password; who has an account proves it. The first owner
// comes this way too, with the link from the terminal.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { useLocation } from 'wouter';
import { ApiError, errorMessage, type Schemas } from '../../api/apiClient.ts';
import { sessionQueryKey, useApiMutation } from '../../api/queryClient.ts';
import { acceptInvitation, invitationQuery, type Session, sessionQuery } from '../../api/session.ts';
import { Button, LinkButton } from '../../components/Button.tsx';
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { Field } from '../../components/Field.tsx';
import { Notice } from '../../components/Notice.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { roleLabels } from '../../labels/roles.ts';
import { NewPasswordField } from './NewPasswordField.tsx';
import { SignInLayout } from './SignInLayout.tsx';
import { useLinkToken } from './useLinkToken.ts';

export const Invitation = () => {
  const token = useLinkToken();
  const invitation = useQuery(invitationQuery(token));
  const session = useQuery(sessionQuery);
  const isGone =
    invitation.error instanceof ApiError && ['not_found', 'invalid_request'].includes(invitation.error.code);
  if (!token || isGone) return <LinkExpired />;
  if (invitation.isError) {
    return (
      <SignInLayout title="Your invitation">
        <ErrorNotice
          error={invitation.error}
          onRetry={() => invitation.refetch()}
          isRetrying={invitation.isFetching}
        />
      </SignInLayout>
    );
  }
  if (!invitation.data || session.isPending) {
    return (
      <SignInLayout title="Your invitation">
        <Skeleton lines={6} />
      </SignInLayout>
    );
  }
  return <AcceptInvitation token={token} view={invitation.data} session={session.data ?? null} />;
};

const LinkExpired = () => (
  <SignInLayout
    title="This link no longer works"
    description="An invitation works once and for a few days. It was used, withdrawn, or has expired."
  >
    <Notice>Ask whoever invited you for a new link. If you have accepted it already, sign in.</Notice>
    <LinkButton to="/sign-in" wide>
      Go to sign in
    </LinkButton>
  </SignInLayout>
);

type AcceptInvitationProps = { token: string; view: Schemas['InvitationView']; session: Session | null };

const AcceptInvitation = ({ token, view, session }: AcceptInvitationProps) => {
  const client = useQueryClient();
  const [, go] = useLocation();
  const accepting = useApiMutation(acceptInvitation, {
    onSuccess: (next: Session) => {
      client.setQueryData(sessionQueryKey, next);
      const joined = next.organizations.find(({ name }) => name === view.organizationName);
      go(joined ? `/${joined.id}/overview` : '/', { replace: true });
    },
  });
  return (
    <SignInLayout title={`Join ${view.organizationName}`} description={<InvitationSummary view={view} />}>
      {accepting.error && <Notice tone="bad">{acceptErrorMessage(accepting.error)}</Notice>}
      <AcceptForm
        asks={requiredFields(view, session)}
        isPending={accepting.isPending}
        onSubmit={(values) => accepting.mutate({ token, ...values })}
      />
    </SignInLayout>
  );
};

/** The first owner's link names nobody: whoever has it from the terminal is the owner. */
const requiredFields = (view: Schemas['InvitationView'], session: Session | null): RequiredFields => {
  if (!view.email) return 'everything and email';
  if (session?.member.email.toLowerCase() === view.email.toLowerCase()) return 'nothing';
  return view.hasAccount ? 'password' : 'everything';
};

const InvitationSummary = ({ view }: { view: Schemas['InvitationView'] }) =>
  view.email ? (
    <>
      As {roleLabels[view.role].label.toLowerCase()}, with the email <strong>{view.email}</strong>.
    </>
  ) : (
    <>You are the first one here, and its owner. Everybody else comes by your invitation.</>
  );

const acceptErrorMessage = (error: Error): string =>
  error instanceof ApiError && error.code === 'unauthorized'
    ? 'This is not the password of your account.'
    : errorMessage(error);

type RequiredFields = 'everything and email' | 'everything' | 'password' | 'nothing';
type AcceptValues = { email?: string; name?: string; password?: string };
type FormProps = { asks: RequiredFields; isPending: boolean; onSubmit: (values: AcceptValues) => void };

const AcceptForm = ({ asks, isPending, onSubmit }: FormProps) => {
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const values: Record<RequiredFields, AcceptValues> = {
    'everything and email': { email: email.trim(), name: name.trim(), password },
    everything: { name: name.trim(), password },
    password: { password },
    nothing: {},
  };
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(values[asks]);
      }}
    >
      {asks === 'everything and email' && (
        <Field
          label="Your email"
          hint="You sign in with it. Nothing is sent to it."
          type="email"
          name="email"
          autoComplete="username"
          isRequired
          maxLength={254}
          value={email}
          onChange={setEmail}
        />
      )}
      {asks.startsWith('everything') && (
        <>
          <Field
            label="Your name"
            name="name"
            autoComplete="name"
            isRequired
            maxLength={100}
            value={name}
            onChange={setName}
          />
          <NewPasswordField label="Choose a password" value={password} onChange={setPassword} />
        </>
      )}
      {asks === 'password' && (
        <Field
          label="Your password"
          hint="You have an account here already. Its password confirms that it is you."
          type="password"
          name="password"
          autoComplete="current-password"
          isRequired
          maxLength={200}
          value={password}
          onChange={setPassword}
        />
      )}
      <Button type="submit" primary wide isPending={isPending}>
        {asks.startsWith('everything') ? 'Create your account' : 'Accept and continue'}
      </Button>
    </Form>
  );
};
