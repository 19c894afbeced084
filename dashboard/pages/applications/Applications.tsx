// Lists an organization's applications.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { type Application, applicationsQuery } from '../../api/applications.ts';
import { Avatar } from '../../components/Avatar.tsx';
import { EnvironmentBadge } from '../../components/Badge.tsx';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { QueryError } from '../../components/ErrorNotice.tsx';
import { AppWindow, Plus } from '../../components/icons.tsx';
import { archivedNote } from '../../components/NoApplication.tsx';
import { Page } from '../../components/Page.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { Timestamp } from '../../components/Timestamp.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';
import { RestoreApplication } from './ArchiveApplication.tsx';
import { NewApplication } from './NewApplication.tsx';

const applicationsNote =
  'Each application belongs permanently to either the Sandbox or Production, and has its own API keys and connections.';

export const Applications = () => {
  const { organization, root, hasRole } = useOrgContext();
  const query = useQuery(applicationsQuery(organization.id));
  const [search, setSearch] = useSearchParams();
  const [isCreating, setCreating] = useState(search.has('new') && hasRole('developer'));
  const createButton = hasRole('developer') ? (
    <Button primary onPress={() => setCreating(true)}>
      <Plus size={16} aria-hidden="true" />
      New application
    </Button>
  ) : null;
  const active = query.data?.filter(({ archivedAt }) => archivedAt === null);
  const archived = query.data?.filter(({ archivedAt }) => archivedAt !== null) ?? [];
  const isEmpty = active?.length === 0;
  return (
    <Page title="Applications" description={applicationsNote} actions={createButton}>
      {query.isError ? (
        <QueryError query={query} />
      ) : (
        <Card flush>
          {isEmpty ? (
            <EmptyState
              icon={AppWindow}
              title={archived.length > 0 ? 'All applications are archived' : 'No applications yet'}
            >
              {archived.length > 0
                ? archivedNote
                : 'Start with one in the Sandbox. Everything works as in Production, but with a simulated bank.'}
            </EmptyState>
          ) : (
            <Table
              label="Applications"
              columns={columnsFor(root)}
              rows={active}
              keyOf={({ id }) => id}
              isLinked
              skeletonRows={3}
            />
          )}
        </Card>
      )}
      {archived.length > 0 && <ArchivedApplications applications={archived} />}
      <NewApplication
        isOpen={isCreating}
        onClose={() => {
          setCreating(false);
          setSearch({}, { replace: true });
        }}
      />
    </Page>
  );
};

const ArchivedApplications = ({ applications }: { applications: Application[] }) => {
  const { root, hasRole } = useOrgContext();
  return (
    <Card title="Archived" flush>
      <Table
        label="Archived applications"
        columns={archivedColumnsFor(root, hasRole('owner'))}
        rows={applications}
        keyOf={({ id }) => id}
      />
    </Card>
  );
};

const archivedColumnsFor = (root: string, canRestore: boolean): Column<Application>[] => [
  {
    heading: 'Name',
    cell: ({ id, name }) => <Link to={`${root}/applications/${id}`}>{name}</Link>,
  },
  { heading: 'Environment', cell: ({ environment }) => <EnvironmentBadge environment={environment} /> },
  { heading: 'Archived', cell: ({ archivedAt }) => archivedAt && <Timestamp at={archivedAt} dateOnly /> },
  ...(canRestore ? [restoreColumn] : []),
];

const restoreColumn: Column<Application> = {
  heading: 'Actions',
  end: true,
  cell: (application) => (
    <RestoreApplication application={application} label={`Restore ${application.name}`} />
  ),
};

const columnsFor = (root: string): Column<Application>[] => [
  {
    heading: 'Name',
    cell: ({ id, name, logo }) => (
      <span className="row" style={{ flexWrap: 'nowrap' }}>
        <Avatar name={name} logo={logo} />
        <Link className="row-link" to={`${root}/applications/${id}`}>
          {name}
        </Link>
      </span>
    ),
  },
  { heading: 'Environment', cell: ({ environment }) => <EnvironmentBadge environment={environment} /> },
  { heading: 'Application id', cell: ({ id }) => <code>{id}</code> },
  { heading: 'Created', end: true, cell: ({ createdAt }) => <Timestamp at={createdAt} dateOnly /> },
];
