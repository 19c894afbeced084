// The applications of an organization, and a new one.
import { useQuery } from '@tanstack/react-query';
import { AppWindow, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { EnvironmentBadge } from '../../parts/Badge.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Failure } from '../../parts/Failure.tsx';
import { Mark } from '../../parts/Mark.tsx';
import { Page } from '../../parts/Page.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { When } from '../../parts/When.tsx';
import { type Application, applicationsQuery } from '../../service/applications.ts';
import { usePlace } from '../../shell/place.ts';
import { NewApplication } from './NewApplication.tsx';

const whatApplicationsAre =
  'Each application belongs to the Sandbox or to Production, for good, and has its own access keys and connections.';

export const Applications = () => {
  const { organization, root, may } = usePlace();
  const found = useQuery(applicationsQuery(organization.id));
  const [search, setSearch] = useSearchParams();
  const [isMaking, setMaking] = useState(search.has('new') && may('developer'));
  const begin = may('developer') ? (
    <Button primary onPress={() => setMaking(true)}>
      <Plus size={16} aria-hidden="true" />
      New application
    </Button>
  ) : null;
  const isEmpty = found.data?.length === 0;
  return (
    <Page title="Applications" note={whatApplicationsAre} actions={!isEmpty && begin}>
      {found.isError ? (
        <Failure error={found.error} onRetry={() => found.refetch()} isRetrying={found.isFetching} />
      ) : (
        <Card flush>
          {isEmpty ? (
            <Empty picture={AppWindow} title="No application yet" actions={begin}>
              Begin with one in the Sandbox: everything works there as in Production, with a bank that is made
              up.
            </Empty>
          ) : (
            <Table
              label="Applications"
              columns={columnsAt(root)}
              rows={found.data}
              keyOf={({ id }) => id}
              isLinked
              expects={3}
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

const columnsAt = (root: string): Column<Application>[] => [
  {
    heading: 'Name',
    cell: ({ id, name }) => (
      <span className="row" style={{ flexWrap: 'nowrap' }}>
        <Mark name={name} />
        <Link className="cover" to={`${root}/applications/${id}`}>
          {name}
        </Link>
      </span>
    ),
  },
  { heading: 'Environment', cell: ({ environment }) => <EnvironmentBadge environment={environment} /> },
  { heading: 'Application id', cell: ({ id }) => <code>{id}</code> },
  { heading: 'Created', end: true, cell: ({ createdAt }) => <When at={createdAt} dateOnly /> },
];
