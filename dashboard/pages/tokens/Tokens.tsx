// Lists the organization tokens, with which programs use the management API. Owners only.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApiMutation } from '../../api/queryClient.ts';
import { type OrganizationToken, revokeToken, tokensQuery } from '../../api/tokens.ts';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { Copyable } from '../../components/CopyButton.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { QueryError } from '../../components/ErrorNotice.tsx';
import { KeyRound, Plus } from '../../components/icons.tsx';
import { ConfirmModal } from '../../components/Modal.tsx';
import { Page } from '../../components/Page.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { Timestamp } from '../../components/Timestamp.tsx';
import { roleLabels } from '../../labels/roles.ts';
import { scopeLabels } from '../../labels/tokenScopes.ts';
import { useOrgContext } from '../../shell/orgContext.ts';
import { ApiKeyState } from '../applications/ApiKeys.tsx';
import { NotFound } from '../NotFound.tsx';
import { NewToken } from './NewToken.tsx';

export const Tokens = () => {
  const { hasRole } = useOrgContext();
  return hasRole('owner') ? <TokensContent /> : <NotFound />;
};

const TokensContent = () => {
  const { organization } = useOrgContext();
  const query = useQuery(tokensQuery(organization.id));
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<OrganizationToken>();
  const createButton = (
    <Button primary onPress={() => setCreating(true)}>
      <Plus size={16} aria-hidden="true" />
      New token
    </Button>
  );
  return (
    <Page
      title="Organization tokens"
      description="Programs, such as tests in CI, use a token to call the management API."
      actions={createButton}
    >
      {query.isError ? (
        <QueryError query={query} />
      ) : (
        <Card flush>
          {query.data?.length === 0 ? (
            <EmptyState icon={KeyRound} title="No tokens yet">
              Create one to manage the sandbox, webhooks and connections from a program.
            </EmptyState>
          ) : (
            <Table
              label="Organization tokens"
              columns={columnsFor(setRevoking)}
              rows={query.data}
              keyOf={({ id }) => id}
              skeletonRows={3}
            />
          )}
        </Card>
      )}
      <Card title="Organization id" description="Requests identify the organization by this id.">
        <Copyable text={organization.id} label="organization id" />
        <p>
          <a href="/docs/management">Management API reference</a>
        </p>
      </Card>
      <NewToken isOpen={isCreating} onClose={() => setCreating(false)} />
      <RevokeToken token={revoking} onClose={() => setRevoking(undefined)} />
    </Page>
  );
};

const columnsFor = (onRevoke: (token: OrganizationToken) => void): Column<OrganizationToken>[] => [
  {
    heading: 'Name',
    cell: ({ id, name }) => (
      <span className="two-lines">
        <strong className="long">{name}</strong>
        <code className="small muted">{id}</code>
      </span>
    ),
  },
  {
    heading: 'Role and scopes',
    cell: ({ role, scopes }) => (
      <span className="two-lines">
        {roleLabels[role].label}
        <span className="small muted">{scopes.map((scope) => scopeLabels[scope].label).join(', ')}</span>
      </span>
    ),
  },
  { heading: 'State', cell: (token) => <ApiKeyState apiKey={token} /> },
  {
    heading: 'Created',
    cell: ({ createdAt, createdBy }) => (
      <span className="two-lines">
        <Timestamp at={createdAt} dateOnly />
        <span className="small muted">{createdBy}</span>
      </span>
    ),
  },
  { heading: 'Last used', cell: ({ lastUsedAt }) => <Timestamp at={lastUsedAt} /> },
  { heading: 'Expires', cell: ({ expiresAt }) => <Timestamp at={expiresAt} dateOnly /> },
  {
    heading: 'Actions',
    hideHeading: true,
    end: true,
    cell: (token) =>
      token.state === 'active' && (
        <Button compact danger aria-label={`Revoke ${token.name}`} onPress={() => onRevoke(token)}>
          Revoke
        </Button>
      ),
  },
];

type RevokeProps = { token: OrganizationToken | undefined; onClose: () => void };

const RevokeToken = ({ token, onClose }: RevokeProps) => {
  const { organization } = useOrgContext();
  const revoking = useApiMutation((tokenId: string) => revokeToken(organization.id, tokenId), {
    invalidates: [['tokens', organization.id]],
    onSuccess: onClose,
  });
  return (
    <ConfirmModal
      title={`Revoke “${token?.name ?? ''}”?`}
      action="Revoke token"
      isOpen={token !== undefined}
      isPending={revoking.isPending}
      error={revoking.error}
      onConfirm={() => token && revoking.mutate(token.id)}
      onClose={() => {
        revoking.reset();
        onClose();
      }}
    >
      <p>This token stops working within one second. This cannot be undone.</p>
      <p className="muted">
        {token?.lastUsedAt ? (
          <>
            It was last used <Timestamp at={token.lastUsedAt} />.
          </>
        ) : (
          'It has never been used.'
        )}
      </p>
    </ConfirmModal>
  );
};
