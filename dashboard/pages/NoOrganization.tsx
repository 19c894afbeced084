// A member whom every organization has removed.
import { useQueryClient } from '@tanstack/react-query';
import { Button } from '../parts/Button.tsx';
import { Notice } from '../parts/Notice.tsx';
import { sessionKey, useChange } from '../service/queries.ts';
import { type Session, signOut } from '../service/session.ts';
import { Entry } from './entry/Entry.tsx';

export const NoOrganization = ({ session }: { session: Session }) => {
  const client = useQueryClient();
  const leaving = useChange(signOut, { onDone: () => client.setQueryData(sessionKey, null) });
  return (
    <Entry title="No organization" note={`You are signed in as ${session.member.email}.`}>
      <Notice>You are not a member of any organization here. Ask an owner to invite you again.</Notice>
      <Button wide isPending={leaving.isPending} onPress={() => leaving.mutate(undefined)}>
        Sign out
      </Button>
    </Entry>
  );
};
