// Shown to members without an organization.
import { useQueryClient } from '@tanstack/react-query';
import { sessionQueryKey, useApiMutation } from '../api/queryClient.ts';
import { type Session, signOut } from '../api/session.ts';
import { Button } from '../components/Button.tsx';
import { Notice } from '../components/Notice.tsx';
import { SignInLayout } from './signIn/SignInLayout.tsx';

export const NoOrganization = ({ session }: { session: Session }) => {
  const client = useQueryClient();
  const signingOut = useApiMutation(signOut, { onSuccess: () => client.setQueryData(sessionQueryKey, null) });
  return (
    <SignInLayout title="No organization" description={`You are signed in as ${session.member.email}.`}>
      <Notice>You are not a member of any organization here. Ask an owner to invite you again.</Notice>
      <Button wide isPending={signingOut.isPending} onPress={() => signingOut.mutate(undefined)}>
        Sign out
      </Button>
    </SignInLayout>
  );
};
