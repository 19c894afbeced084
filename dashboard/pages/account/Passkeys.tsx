// Passkeys: signing in with a fingerprint, a face or a security key instead of the password.
import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Failure } from '../../parts/Failure.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { When } from '../../parts/When.tsx';
import { Confirm } from '../../parts/Window.tsx';
import { passkeysQuery, removePasskey } from '../../service/account.ts';
import type { Shape } from '../../service/conversation.ts';
import { useChange } from '../../service/queries.ts';
import { AddPasskey } from './AddPasskey.tsx';

type Passkey = Shape['Passkey'];

export const Passkeys = () => {
  const found = useQuery(passkeysQuery);
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Passkey>();
  const isEmpty = found.data?.length === 0;
  const begin = (
    <Button compact={!isEmpty} onPress={() => setAdding(true)}>
      <Plus size={16} aria-hidden="true" />
      Add a passkey
    </Button>
  );
  return (
    <Card
      title="Passkeys"
      note="Quicker than a password, and safe from pages that only look like this one."
      actions={!isEmpty && begin}
      flush
    >
      {found.isError && (
        <div className="card-body">
          <Failure error={found.error} onRetry={() => found.refetch()} isRetrying={found.isFetching} />
        </div>
      )}
      {isEmpty && (
        <Empty picture={KeyRound} title="No passkey yet" actions={begin}>
          Your device or password manager keeps it, and signs you in with your fingerprint, face or PIN.
        </Empty>
      )}
      {!isEmpty && !found.isError && (
        <Table
          label="Passkeys"
          columns={columnsFor(setRemoving)}
          rows={found.data}
          keyOf={({ id }) => id}
          expects={1}
        />
      )}
      <AddPasskey isOpen={isAdding} onClose={() => setAdding(false)} />
      <Remove passkey={removing} onClose={() => setRemoving(undefined)} />
    </Card>
  );
};

const columnsFor = (onRemove: (passkey: Passkey) => void): Column<Passkey>[] => [
  { heading: 'Name', cell: ({ name }) => <strong>{name}</strong> },
  { heading: 'Added', cell: ({ createdAt }) => <When at={createdAt} dateOnly /> },
  { heading: 'Last used', cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
  {
    heading: 'Actions',
    quiet: true,
    end: true,
    cell: (passkey) => (
      <Button compact aria-label={`Remove ${passkey.name}`} onPress={() => onRemove(passkey)}>
        Remove
      </Button>
    ),
  },
];

const Remove = ({ passkey, onClose }: { passkey: Passkey | undefined; onClose: () => void }) => {
  const removing = useChange(removePasskey, { refreshes: [['me', 'passkeys']], onDone: onClose });
  return (
    <Confirm
      title={`Remove “${passkey?.name ?? ''}”?`}
      action="Remove the passkey"
      isOpen={passkey !== undefined}
      isPending={removing.isPending}
      error={removing.error}
      onConfirm={() => passkey && removing.mutate(passkey.id)}
      onClose={onClose}
    >
      <p>You cannot sign in with it any more. You may also want to delete it in your device’s settings.</p>
    </Confirm>
  );
};
