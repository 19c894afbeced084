// Accepting an invitation: somebody new chooses a name and a password; who has an account proves it. The first owner
// comes this way too, with the link from the terminal.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { useLocation } from 'wouter';
import { Bones } from '../../parts/Bones.tsx';
import { Button, LinkButton } from '../../parts/Button.tsx';
import { Failure } from '../../parts/Failure.tsx';
import { Field } from '../../parts/Field.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { inWords, Refusal, type Shape } from '../../service/conversation.ts';
import { sessionKey, useChange } from '../../service/queries.ts';
import { acceptInvitation, invitationQuery, type Session, sessionQuery } from '../../service/session.ts';
import { roleWords } from '../../texts/roles.ts';
import { Entry } from './Entry.tsx';
import { useLinkToken } from './linkToken.ts';
import { NewPassword } from './NewPassword.tsx';

export const Invitation = () => {
  const token = useLinkToken();
  const invitation = useQuery(invitationQuery(token));
  const session = useQuery(sessionQuery);
  const isGone =
    invitation.error instanceof Refusal && ['not_found', 'invalid_request'].includes(invitation.error.code);
  if (!token || isGone) return <Gone />;
  if (invitation.isError) {
    return (
      <Entry title="Your invitation">
        <Failure
          error={invitation.error}
          onRetry={() => invitation.refetch()}
          isRetrying={invitation.isFetching}
        />
      </Entry>
    );
  }
  if (!invitation.data || session.isPending) {
    return (
      <Entry title="Your invitation">
        <Bones lines={6} />
      </Entry>
    );
  }
  return <Accept token={token} view={invitation.data} session={session.data ?? null} />;
};

const Gone = () => (
  <Entry
    title="This link no longer works"
    note="An invitation works once and for a few days. It was used, withdrawn, or has expired."
  >
    <Notice>Ask whoever invited you for a new link. If you have accepted it already, sign in.</Notice>
    <LinkButton to="/sign-in" wide>
      Go to sign in
    </LinkButton>
  </Entry>
);

type AcceptProps = { token: string; view: Shape['InvitationView']; session: Session | null };

const Accept = ({ token, view, session }: AcceptProps) => {
  const client = useQueryClient();
  const [, go] = useLocation();
  const accepting = useChange(acceptInvitation, {
    onDone: (next: Session) => {
      client.setQueryData(sessionKey, next);
      const joined = next.organizations.find(({ name }) => name === view.organizationName);
      go(joined ? `/${joined.id}/overview` : '/', { replace: true });
    },
  });
  return (
    <Entry title={`Join ${view.organizationName}`} note={<Welcome view={view} />}>
      {accepting.error && <Notice tone="bad">{wrong(accepting.error)}</Notice>}
      <AcceptForm
        asks={asksOf(view, session)}
        isPending={accepting.isPending}
        onSubmit={(values) => accepting.mutate({ token, ...values })}
      />
    </Entry>
  );
};

/** The first owner's link names nobody: whoever has it from the terminal is the owner. */
const asksOf = (view: Shape['InvitationView'], session: Session | null): Asks => {
  if (!view.email) return 'everything and email';
  if (session?.member.email.toLowerCase() === view.email.toLowerCase()) return 'nothing';
  return view.hasAccount ? 'password' : 'everything';
};

const Welcome = ({ view }: { view: Shape['InvitationView'] }) =>
  view.email ? (
    <>
      As {roleWords[view.role].label.toLowerCase()}, with the email <strong>{view.email}</strong>.
    </>
  ) : (
    <>You are the first one here, and its owner. Everybody else comes by your invitation.</>
  );

const wrong = (error: Error): string =>
  error instanceof Refusal && error.code === 'unauthorized'
    ? 'This is not the password of your account.'
    : inWords(error);

type Asks = 'everything and email' | 'everything' | 'password' | 'nothing';
type Given = { email?: string; name?: string; password?: string };
type FormProps = { asks: Asks; isPending: boolean; onSubmit: (values: Given) => void };

const AcceptForm = ({ asks, isPending, onSubmit }: FormProps) => {
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const values: Record<Asks, Given> = {
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
          <NewPassword label="Choose a password" value={password} onChange={setPassword} />
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
