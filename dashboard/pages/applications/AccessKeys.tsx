// The access keys of an application: who made them, when they were used, and an end to them.
import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '../../parts/Badge.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Failure } from '../../parts/Failure.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { When } from '../../parts/When.tsx';
import { Confirm } from '../../parts/Window.tsx';
import { type ApiKey, type Application, apiKeysQuery, revokeApiKey } from '../../service/applications.ts';
import { useChange } from '../../service/queries.ts';
import { usePlace } from '../../shell/place.ts';
import { NewAccessKey } from './NewAccessKey.tsx';

const whatKeysAre =
  'Your backend sends one with every request. A key belongs in the backend only, never in a page or an app.';

export const AccessKeys = ({ application }: { application: Application }) => {
  const { may } = usePlace();
  const found = useQuery(apiKeysQuery(application.id));
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  const begin = may('developer') && (
    <Button primary onPress={() => setMaking(true)}>
      <Plus size={16} aria-hidden="true" />
      New access key
    </Button>
  );
  const isEmpty = found.data?.length === 0;
  return (
    <>
      {found.isError ? (
        <Failure error={found.error} onRetry={() => found.refetch()} isRetrying={found.isFetching} />
      ) : (
        <Card title="Access keys" note={whatKeysAre} actions={!isEmpty && begin} flush>
          {isEmpty ? (
            <Empty picture={KeyRound} title="No access key yet" actions={begin}>
              Create one to ask the interface for accounts and transactions from your backend.
            </Empty>
          ) : (
            <Table
              label="Access keys"
              columns={columnsFor(may('developer') ? setRevoking : undefined)}
              rows={found.data}
              keyOf={({ id }) => id}
              expects={3}
            />
          )}
        </Card>
      )}
      <NewAccessKey application={application} isOpen={isMaking} onClose={() => setMaking(false)} />
      <RevokeKey application={application} apiKey={revoking} onClose={() => setRevoking(undefined)} />
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
  { heading: 'State', cell: (key) => <KeyState apiKey={key} /> },
  {
    heading: 'Created',
    cell: ({ createdAt, createdBy }) => (
      <span className="two">
        <When at={createdAt} dateOnly />
        <span className="small soft">{createdBy ?? 'At the command line'}</span>
      </span>
    ),
  },
  { heading: 'Last used', cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
  { heading: 'Expires', cell: ({ expiresAt }) => <When at={expiresAt} dateOnly /> },
  ...(onRevoke
    ? [
        {
          heading: 'Actions',
          quiet: true,
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

const KeyState = ({ apiKey: { state, revokedAt } }: { apiKey: ApiKey }) => {
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
        <When at={revokedAt} />
      </span>
    </span>
  );
};

type RevokeProps = { application: Application; apiKey: ApiKey | undefined; onClose: () => void };

const RevokeKey = ({ application, apiKey, onClose }: RevokeProps) => {
  const revoking = useChange((keyId: string) => revokeApiKey(application.id, keyId), {
    refreshes: [['keys', application.id]],
    onDone: onClose,
  });
  return (
    <Confirm
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
            It was last used <When at={apiKey.lastUsedAt} />.
          </>
        ) : (
          'It has never been used.'
        )}
      </p>
    </Confirm>
  );
};
