// Accepts an invitation. A new member chooses a name and a password; an existing one confirms the password. The first owner also
// uses this page, through the link in the terminal.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
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
  const isInvalid =
    invitation.error instanceof ApiError && ['not_found', 'invalid_request'].includes(invitation.error.code);
  if (!token || isInvalid) return <LinkExpired />;
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
  return <AcceptInvitation token={token} invitation={invitation.data} session={session.data ?? null} />;
};

const LinkExpired = () => (
  <SignInLayout
    title="This link no longer works"
    description="An invitation works once, for a limited time. This one was used or revoked, or has expired."
  >
    <Notice>Ask the owner who invited you for a new link. If you have already accepted it, sign in.</Notice>
    <LinkButton to="/sign-in" wide>
      Go to sign in
    </LinkButton>
  </SignInLayout>
);

type AcceptInvitationProps = {
  token: string;
  invitation: Schemas['InvitationView'];
  session: Session | null;
};

const AcceptInvitation = ({ token, invitation, session }: AcceptInvitationProps) => {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const accepting = useApiMutation(acceptInvitation, {
    onSuccess: (next: Session) => {
      client.setQueryData(sessionQueryKey, next);
      const organization = next.organizations.find(({ name }) => name === invitation.organizationName);
      navigate(organization ? `/${organization.id}/overview` : '/', { replace: true });
    },
  });
  return (
    <SignInLayout
      title={invitation.email ? `Join ${invitation.organizationName}` : 'Create the owner account'}
      description={<InvitationSummary invitation={invitation} />}
    >
      {accepting.error && <Notice tone="bad">{acceptErrorMessage(accepting.error)}</Notice>}
      <AcceptForm
        fields={requiredFields(invitation, session)}
        isPending={accepting.isPending}
        onSubmit={(values) => accepting.mutate({ token, ...values })}
      />
    </SignInLayout>
  );
};

/** The fields to fill in. The first owner's invitation has no email address, so the form asks for one. */
const requiredFields = (invitation: Schemas['InvitationView'], session: Session | null): RequiredFields => {
  if (!invitation.email) return 'emailNamePassword';
  if (session?.member.email.toLowerCase() === invitation.email.toLowerCase()) return 'none';
  return invitation.hasAccount ? 'password' : 'namePassword';
};

const InvitationSummary = ({ invitation }: { invitation: Schemas['InvitationView'] }) =>
  invitation.email ? (
    <>
      As {roleLabels[invitation.role].label.toLowerCase()}, with the email <strong>{invitation.email}</strong>
      .
    </>
  ) : (
    <>For {invitation.organizationName}. You can invite other members from the dashboard.</>
  );

const acceptErrorMessage = (error: Error): string =>
  error instanceof ApiError && error.code === 'unauthorized'
    ? 'This isn’t the password for your account.'
    : errorMessage(error);

type RequiredFields = 'emailNamePassword' | 'namePassword' | 'password' | 'none';
type AcceptValues = { email?: string; name?: string; password?: string };
type FormProps = { fields: RequiredFields; isPending: boolean; onSubmit: (values: AcceptValues) => void };

const AcceptForm = ({ fields, isPending, onSubmit }: FormProps) => {
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const isNewMember = fields === 'emailNamePassword' || fields === 'namePassword';
  const values: Record<RequiredFields, AcceptValues> = {
    emailNamePassword: { email: email.trim(), name: name.trim(), password },
    namePassword: { name: name.trim(), password },
    password: { password },
    none: {},
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(values[fields]);
      }}
    >
      {fields === 'emailNamePassword' && (
        <Field
          label="Your email"
          hint="You’ll sign in with this. We don’t send email."
          type="email"
          name="email"
          autoComplete="username"
          isRequired
          maxLength={254}
          value={email}
          onChange={setEmail}
        />
      )}
      {isNewMember && (
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
      {fields === 'password' && (
        <Field
          label="Your password"
          hint="You already have an account here. Enter its password."
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
        {isNewMember ? 'Create your account' : 'Accept and continue'}
      </Button>
    </form>
  );
};
