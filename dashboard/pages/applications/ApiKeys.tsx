// Lists an application's API keys, with buttons to create and revoke them.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiKey, type Application, apiKeysQuery, revokeApiKey } from '../../api/applications.ts';
import { useApiMutation } from '../../api/queryClient.ts';
import { Badge } from '../../components/Badge.tsx';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { QueryError } from '../../components/ErrorNotice.tsx';
import { KeyRound, Plus } from '../../components/icons.tsx';
import { ConfirmModal } from '../../components/Modal.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { Timestamp } from '../../components/Timestamp.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';
import { NewApiKey } from './NewApiKey.tsx';

const apiKeysNote =
  'Your backend sends an API key with every request. Keep keys in your backend, never in a page or an app.';

export const ApiKeys = ({ application }: { application: Application }) => {
  const { hasRole } = useOrgContext();
  const query = useQuery(apiKeysQuery(application.id));
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  const createButton = hasRole('developer') && (
    <Button primary onPress={() => setCreating(true)}>
      <Plus size={16} aria-hidden="true" />
      New API key
    </Button>
  );
  const isEmpty = query.data?.length === 0;
  return (
    <>
      {query.isError ? (
        <QueryError query={query} />
      ) : (
        <Card title="API keys" description={apiKeysNote} actions={createButton} flush>
          {isEmpty ? (
            <EmptyState icon={KeyRound} title="No API keys yet">
              Create one to read accounts and transactions from your backend.
            </EmptyState>
          ) : (
            <Table
              label="API keys"
              columns={columnsFor(hasRole('developer') ? setRevoking : undefined)}
              rows={query.data}
              keyOf={({ id }) => id}
              skeletonRows={3}
            />
          )}
        </Card>
      )}
      <NewApiKey application={application} isOpen={isCreating} onClose={() => setCreating(false)} />
      <RevokeApiKey application={application} apiKey={revoking} onClose={() => setRevoking(undefined)} />
    </>
  );
};

const columnsFor = (onRevoke: ((key: ApiKey) => void) | undefined): Column<ApiKey>[] => [
  {
    heading: 'Name',
    cell: (key) => (
      <span className="two-lines">
        <strong>{key.name}</strong>
        <code className="small muted">{key.id}</code>
      </span>
    ),
  },
  { heading: 'State', cell: (key) => <ApiKeyState apiKey={key} /> },
  {
    heading: 'Created',
    cell: ({ createdAt, createdBy }) => (
      <span className="two-lines">
        <Timestamp at={createdAt} dateOnly />
        <span className="small muted">{createdBy ?? 'From the command line'}</span>
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

/** The state of an API key or an organization token. */
export const ApiKeyState = ({
  apiKey: { state, revokedAt },
}: {
  apiKey: Pick<ApiKey, 'state' | 'revokedAt'>;
}) => {
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
      <span className="small muted">
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
      action="Revoke key"
      isOpen={apiKey !== undefined}
      isPending={revoking.isPending}
      error={revoking.error}
      onConfirm={() => apiKey && revoking.mutate(apiKey.id)}
      onClose={() => {
        revoking.reset();
        onClose();
      }}
    >
      <p>This key stops working within one second. This cannot be undone.</p>
      <p className="muted">
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
