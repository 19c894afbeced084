// Lists the member's passkeys, with buttons to add and remove them.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { passkeysQuery, removePasskey } from '../../api/account.ts';
import type { Schemas } from '../../api/apiClient.ts';
import { useApiMutation } from '../../api/queryClient.ts';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { QueryError } from '../../components/ErrorNotice.tsx';
import { KeyRound, Plus } from '../../components/icons.tsx';
import { ConfirmModal } from '../../components/Modal.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { Timestamp } from '../../components/Timestamp.tsx';
import { AddPasskey } from './AddPasskey.tsx';

type Passkey = Schemas['Passkey'];

export const Passkeys = () => {
  const query = useQuery(passkeysQuery);
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Passkey>();
  const isEmpty = query.data?.length === 0;
  const addButton = (
    <Button compact onPress={() => setAdding(true)}>
      <Plus size={16} aria-hidden="true" />
      Add a passkey
    </Button>
  );
  return (
    <Card
      title="Passkeys"
      description="Faster than a password, and resistant to phishing."
      actions={addButton}
      flush
    >
      <QueryError query={query} flush />
      {isEmpty && (
        <EmptyState icon={KeyRound} title="No passkey yet">
          Your device or password manager stores it and signs you in with your fingerprint, face or PIN.
        </EmptyState>
      )}
      {!isEmpty && !query.isError && (
        <Table
          label="Passkeys"
          columns={columnsFor(setRemoving)}
          rows={query.data}
          keyOf={({ id }) => id}
          skeletonRows={1}
        />
      )}
      <AddPasskey isOpen={isAdding} onClose={() => setAdding(false)} />
      <RemovePasskey passkey={removing} onClose={() => setRemoving(undefined)} />
    </Card>
  );
};

const columnsFor = (onRemove: (passkey: Passkey) => void): Column<Passkey>[] => [
  { heading: 'Name', cell: ({ name }) => <strong>{name}</strong> },
  { heading: 'Added', cell: ({ createdAt }) => <Timestamp at={createdAt} dateOnly /> },
  { heading: 'Last used', cell: ({ lastUsedAt }) => <Timestamp at={lastUsedAt} /> },
  {
    heading: 'Actions',
    hideHeading: true,
    end: true,
    cell: (passkey) => (
      <Button compact aria-label={`Remove ${passkey.name}`} onPress={() => onRemove(passkey)}>
        Remove
      </Button>
    ),
  },
];

const RemovePasskey = ({ passkey, onClose }: { passkey: Passkey | undefined; onClose: () => void }) => {
  const removing = useApiMutation(removePasskey, { invalidates: [['me', 'passkeys']], onSuccess: onClose });
  return (
    <ConfirmModal
      title={`Remove “${passkey?.name ?? ''}”?`}
      action="Remove passkey"
      isOpen={passkey !== undefined}
      isPending={removing.isPending}
      error={removing.error}
      onConfirm={() => passkey && removing.mutate(passkey.id)}
      onClose={onClose}
    >
      <p>You can no longer sign in with it. You may also want to delete it in your device’s settings.</p>
    </ConfirmModal>
  );
};
