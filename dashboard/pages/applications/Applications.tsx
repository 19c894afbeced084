// The applications of an organization, and a new one.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { type Application, applicationsQuery } from '../../api/applications.ts';
import { Avatar } from '../../components/Avatar.tsx';
import { EnvironmentBadge } from '../../components/Badge.tsx';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { AppWindow, Plus } from '../../components/icons.tsx';
import { Page } from '../../components/Page.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { Timestamp } from '../../components/Timestamp.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';
import { NewApplication } from './NewApplication.tsx';

const applicationsNote =
  'Each application belongs to the Sandbox or to Production, for good, and has its own access keys and connections.';

export const Applications = () => {
  const { organization, root, hasRole } = useOrgContext();
  const found = useQuery(applicationsQuery(organization.id));
  const [search, setSearch] = useSearchParams();
  const [isMaking, setMaking] = useState(search.has('new') && hasRole('developer'));
  const begin = hasRole('developer') ? (
    <Button primary onPress={() => setMaking(true)}>
      <Plus size={16} aria-hidden="true" />
      New application
    </Button>
  ) : null;
  const isEmpty = found.data?.length === 0;
  return (
    <Page title="Applications" description={applicationsNote} actions={!isEmpty && begin}>
      {found.isError ? (
        <ErrorNotice error={found.error} onRetry={() => found.refetch()} isRetrying={found.isFetching} />
      ) : (
        <Card flush>
          {isEmpty ? (
            <EmptyState icon={AppWindow} title="No application yet" actions={begin}>
              Begin with one in the Sandbox: everything works there as in Production, with a bank that is made
              up.
            </EmptyState>
          ) : (
            <Table
              label="Applications"
              columns={columnsFor(root)}
              rows={found.data}
              keyOf={({ id }) => id}
              isLinked
              skeletonRows={3}
            />
          )}
        </Card>
      )}
      <NewApplication
        isOpen={isMaking}
        onClose={() => {
          setMaking(false);
          setSearch({}, { replace: true });
        }}
      />
    </Page>
  );
};

const columnsFor = (root: string): Column<Application>[] => [
  {
    heading: 'Name',
    cell: ({ id, name }) => (
      <span className="row" style={{ flexWrap: 'nowrap' }}>
        <Avatar name={name} />
        <Link className="cover" to={`${root}/applications/${id}`}>
          {name}
        </Link>
      </span>
    ),
  },
  { heading: 'Environment', cell: ({ environment }) => <EnvironmentBadge environment={environment} /> },
  { heading: 'Application id', cell: ({ id }) => <code>{id}</code> },
  { heading: 'Created', end: true, cell: ({ createdAt }) => <Timestamp at={createdAt} dateOnly /> },
];
