// The access keys of an application: who made them, when they were used, and an end to them.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiKey, type Application, apiKeysQuery, revokeApiKey } from '../../api/applications.ts';
import { useApiMutation } from '../../api/queryClient.ts';
import { Badge } from '../../components/Badge.tsx';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { KeyRound, Plus } from '../../components/icons.tsx';
import { ConfirmModal } from '../../components/Modal.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { Timestamp } from '../../components/Timestamp.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';
import { NewAccessKey } from './NewApiKey.tsx';

const apiKeysNote =
  'Your backend sends one with every request. A key belongs in the backend only, never in a page or an app.';

export const ApiKeys = ({ application }: { application: Application }) => {
  const { hasRole } = useOrgContext();
  const found = useQuery(apiKeysQuery(application.id));
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  const begin = hasRole('developer') && (
    <Button primary onPress={() => setMaking(true)}>
      <Plus size={16} aria-hidden="true" />
      New access key
    </Button>
  );
  const isEmpty = found.data?.length === 0;
  return (
    <>
      {found.isError ? (
        <ErrorNotice error={found.error} onRetry={() => found.refetch()} isRetrying={found.isFetching} />
      ) : (
        <Card title="Access keys" description={apiKeysNote} actions={!isEmpty && begin} flush>
          {isEmpty ? (
            <EmptyState icon={KeyRound} title="No access key yet" actions={begin}>
              Create one to ask the interface for accounts and transactions from your backend.
            </EmptyState>
          ) : (
            <Table
              label="Access keys"
              columns={columnsFor(hasRole('developer') ? setRevoking : undefined)}
              rows={found.data}
              keyOf={({ id }) => id}
              skeletonRows={3}
            />
          )}
        </Card>
      )}
      <NewAccessKey application={application} isOpen={isMaking} onClose={() => setMaking(false)} />
      <RevokeApiKey application={application} apiKey={revoking} onClose={() => setRevoking(undefined)} />
    </>
  );
};

const columnsFor = (onRevoke: ((key: ApiKey) => void) | undefined): Column<ApiKey>[] => [
  {
    heading: 'Name',
    cell: (key) => (
      <span className="two">
        <strong>{key.name}</strong>
        <code className="small soft">{key.id}</code>
      </span>
    ),
  },
  { heading: 'State', cell: (key) => <ApiKeyState apiKey={key} /> },
  {
    heading: 'Created',
    cell: ({ createdAt, createdBy }) => (
      <span className="two">
        <Timestamp at={createdAt} dateOnly />
        <span className="small soft">{createdBy ?? 'At the command line'}</span>
      </span>
    ),
  },
  { heading: 'Last used', cell: ({ lastUsedAt }) => <Timestamp at={lastUsedAt} /> },
  { heading: 'Expires', cell: ({ expiresAt }) => <Timestamp at={expiresAt} dateOnly /> },
  ...(onRevoke
    ? [
        {
          heading: 'Actions',
          hideHeading: true,
          end: true,
          cell: (key: ApiKey) =>
            key.state === 'active' && (
              <Button compact danger aria-label={`Revoke ${key.name}`} onPress={() => onRevoke(key)}>
                Revoke
              </Button>
            ),
        },
      ]
    : []),
];

const ApiKeyState = ({ apiKey: { state, revokedAt } }: { apiKey: ApiKey }) => {
  if (state === 'active')
    return (
      <Badge tone="good" dot>
        Active
      </Badge>
    );
  if (state === 'expired') return <Badge>Expired</Badge>;
  return (
    <span className="row">
      <Badge>Revoked</Badge>
      <span className="small soft">
        <Timestamp at={revokedAt} />
      </span>
    </span>
  );
};

type RevokeProps = { application: Application; apiKey: ApiKey | undefined; onClose: () => void };

const RevokeApiKey = ({ application, apiKey, onClose }: RevokeProps) => {
  const revoking = useApiMutation((keyId: string) => revokeApiKey(application.id, keyId), {
    invalidates: [['apiKeys', application.id]],
    onSuccess: onClose,
  });
  return (
    <ConfirmModal
      title={`Revoke “${apiKey?.name ?? ''}”?`}
      action="Revoke the key"
      isOpen={apiKey !== undefined}
      isPending={revoking.isPending}
      error={revoking.error}
      onConfirm={() => apiKey && revoking.mutate(apiKey.id)}
      onClose={() => {
        revoking.reset();
        onClose();
      }}
    >
      <p>Every request with this key is refused from now on, within a second. This cannot be taken back.</p>
      <p className="soft">
        {apiKey?.lastUsedAt ? (
          <>
            It was last used <Timestamp at={apiKey.lastUsedAt} />.
          </>
        ) : (
          'It has never been used.'
        )}
      </p>
    </ConfirmModal>
  );
};
