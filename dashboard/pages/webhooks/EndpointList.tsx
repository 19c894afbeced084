// Lists an application's webhook endpoints with their states.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Application } from '../../api/applications.ts';
import { type WebhookEndpoint, webhookEndpointsQuery } from '../../api/webhooks.ts';
import { Badge } from '../../components/Badge.tsx';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { QueryError } from '../../components/ErrorNotice.tsx';
import { Plus, Webhook } from '../../components/icons.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { Timestamp } from '../../components/Timestamp.tsx';
import { formatNumber } from '../../format.ts';
import { deliveryStateLabels, endpointStateLabels } from '../../labels/webhooks.ts';
import { useOrgContext } from '../../shell/orgContext.ts';
import { NewEndpoint } from './NewEndpoint.tsx';

export const EndpointList = ({ application }: { application: Application }) => {
  const { root, hasRole } = useOrgContext();
  const query = useQuery(webhookEndpointsQuery(application.id));
  const [isCreating, setCreating] = useState(false);
  const createButton = hasRole('developer') && (
    <Button primary onPress={() => setCreating(true)}>
      <Plus size={16} aria-hidden="true" />
      Add endpoint
    </Button>
  );
  const isEmpty = query.data?.length === 0;
  return (
    <>
      {query.isError && !query.data ? (
        <QueryError query={query} />
      ) : (
        <Card
          title="Endpoints"
          description="Each endpoint receives all events of the application."
          actions={createButton}
          flush
        >
          {isEmpty ? (
            <EmptyState icon={Webhook} title="No endpoints yet">
              Add the URL where your backend receives events, so it doesn’t have to poll.
            </EmptyState>
          ) : (
            <Table
              label="Endpoints"
              columns={columnsFor(`${root}/applications/${application.id}/webhooks`)}
              rows={query.data}
              keyOf={({ id }) => id}
              isLinked
              skeletonRows={3}
            />
          )}
        </Card>
      )}
      <NewEndpoint application={application} isOpen={isCreating} onClose={() => setCreating(false)} />
    </>
  );
};

const columnsFor = (base: string): Column<WebhookEndpoint>[] => [
  {
    heading: 'URL',
    cell: ({ id, url }) => (
      <span className="two-lines">
        <Link className="row-link long" to={`${base}/${id}`}>
          {url}
        </Link>
        <code className="small muted">{id}</code>
      </span>
    ),
  },
  {
    heading: 'State',
    cell: ({ state, failingSince, disabledAt }) => (
      <span className="two-lines">
        <span>
          <EndpointStateBadge state={state} />
        </span>
        {state !== 'active' && (
          <span className="small muted">
            <Timestamp at={disabledAt ?? failingSince} />
          </span>
        )}
      </span>
    ),
  },
  { heading: 'Last 30 days', cell: ({ deliveries }) => <DeliveryCounts deliveries={deliveries} /> },
  { heading: 'Created', end: true, cell: ({ createdAt }) => <Timestamp at={createdAt} dateOnly /> },
];

export const EndpointStateBadge = ({ state }: Pick<WebhookEndpoint, 'state'>) => {
  const { label, tone } = endpointStateLabels[state];
  return (
    <Badge tone={tone} dot>
      {label}
    </Badge>
  );
};

/** For example "12 delivered, 1 failed". */
export const DeliveryCounts = ({ deliveries }: Pick<WebhookEndpoint, 'deliveries'>) => {
  const parts = (['delivered', 'failed', 'pending'] as const)
    .filter((state) => deliveries[state] > 0)
    .map((state) => `${formatNumber(deliveries[state])} ${deliveryStateLabels[state].label.toLowerCase()}`);
  return parts.length > 0 ? parts.join(', ') : <span className="muted">No events</span>;
};
