// Lists the deliveries to a webhook endpoint, with a filter, pagination and replays.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '../../api/apiClient.ts';
import { useApiMutation } from '../../api/queryClient.ts';
import {
  type EndpointPath,
  queriesOfSending,
  replayFailedWebhooks,
  replayWebhook,
  type WebhookDelivery,
  type WebhookDeliveryState,
  type WebhookEndpoint,
  webhookDeliveriesQuery,
} from '../../api/webhooks.ts';
import { Badge } from '../../components/Badge.tsx';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Webhook } from '../../components/icons.tsx';
import { ListContent } from '../../components/ListContent.tsx';
import { Notice } from '../../components/Notice.tsx';
import { Pager, usePaging } from '../../components/Pager.tsx';
import { filterOptions, Select } from '../../components/Select.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { Timestamp } from '../../components/Timestamp.tsx';
import { deliveryStateLabels, responseLabel } from '../../labels/webhooks.ts';
import { useOrgContext } from '../../shell/orgContext.ts';
import { ConnectionLink } from '../connections/ConnectionLink.tsx';

const stateOptions = filterOptions('Any state', deliveryStateLabels);

type DeliveryListProps = {
  path: EndpointPath;
  endpoint: WebhookEndpoint;
  /** Until this time, pending deliveries are refetched every second. */
  quickUntil: number;
  onReplayed: () => void;
};

export const DeliveryList = ({ path, endpoint, quickUntil, onReplayed }: DeliveryListProps) => {
  const { root, hasRole } = useOrgContext();
  const [state, setState] = useState<WebhookDeliveryState>();
  const paging = usePaging();
  const changeState = (next: WebhookDeliveryState | undefined) => {
    setState(next);
    paging.restart();
  };
  const query = useQuery(webhookDeliveriesQuery(path, { state, cursor: paging.cursor, quickUntil }));
  const replaying = useApiMutation((eventId: string) => replayWebhook(path, eventId), {
    invalidates: queriesOfSending(path),
    onSuccess: onReplayed,
  });
  const canReplay = hasRole('developer') && endpoint.state !== 'disabled';
  return (
    <Card
      title="Deliveries"
      description="Events from the last 30 days, newest first."
      actions={
        canReplay && endpoint.deliveries.failed > 0 && <ReplayFailed path={path} onReplayed={onReplayed} />
      }
      flush
    >
      <search className="filters">
        <Select
          label="State"
          value={state ?? 'any'}
          options={stateOptions}
          onChange={(next) => changeState(next === 'any' ? undefined : next)}
        />
      </search>
      {replaying.error && (
        <div className="card-body">
          <Notice tone="bad">{errorMessage(replaying.error)}</Notice>
        </div>
      )}
      <ListContent
        query={query}
        isEmpty={query.data?.deliveries.length === 0}
        isFiltered={state !== undefined}
        none={
          <EmptyState icon={Webhook} title="No events yet">
            Events are listed here for 30 days.
          </EmptyState>
        }
        noMatch={{ title: 'No matching deliveries', hint: 'No events are in this state.' }}
        onShowAll={() => changeState(undefined)}
      >
        <Table
          label="Deliveries"
          columns={[
            ...columnsFor(`${root}/applications/${path.applicationId}/connections`),
            ...(canReplay
              ? [replayColumn(replaying.mutate, replaying.isPending ? replaying.variables : undefined)]
              : []),
          ]}
          rows={query.data?.deliveries}
          keyOf={({ eventId }) => eventId}
          isStale={query.isPlaceholderData}
          skeletonRows={8}
        />
      </ListContent>
      <Pager paging={paging} nextCursor={query.data?.nextCursor} isLoading={query.isPlaceholderData} />
    </Card>
  );
};

const ReplayFailed = ({ path, onReplayed }: Pick<DeliveryListProps, 'path' | 'onReplayed'>) => {
  const replaying = useApiMutation(() => replayFailedWebhooks(path), {
    invalidates: queriesOfSending(path),
    onSuccess: onReplayed,
  });
  return (
    <>
      <Button compact isPending={replaying.isPending} onPress={() => replaying.mutate(undefined)}>
        Replay all failed
      </Button>
      {replaying.error && <Notice tone="bad">{errorMessage(replaying.error)}</Notice>}
    </>
  );
};

const columnsFor = (connectionsPath: string): Column<WebhookDelivery>[] => [
  {
    heading: 'Event',
    cell: ({ type, eventId }) => (
      <span className="two-lines">
        <strong>{type}</strong>
        <code className="small muted">{eventId}</code>
      </span>
    ),
  },
  {
    heading: 'Connection',
    cell: ({ connectionId }) => <ConnectionLink path={connectionsPath} id={connectionId} />,
  },
  {
    heading: 'State',
    cell: ({ state, attempts, nextAttemptAt }) => (
      <span className="two-lines">
        <span>
          <Badge tone={deliveryStateLabels[state].tone}>{deliveryStateLabels[state].label}</Badge>
        </span>
        {nextAttemptAt && attempts > 0 && (
          <span className="small muted nowrap">
            Again <Timestamp at={nextAttemptAt} />
          </span>
        )}
      </span>
    ),
  },
  { heading: 'Attempts', cell: ({ attempts }) => <span className="number">{attempts}</span> },
  { heading: 'Last response', cell: (delivery) => responseLabel(delivery) },
  { heading: 'Time', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
];

/** A button keeps focus while its event is being sent. */
const replayColumn = (
  onReplay: (eventId: string) => void,
  replayedEventId: string | undefined,
): Column<WebhookDelivery> => ({
  heading: 'Actions',
  hideHeading: true,
  end: true,
  cell: ({ eventId, state, attempts }) => (
    <Button
      compact
      aria-label={`Replay ${eventId}`}
      isPending={replayedEventId === eventId || (state === 'pending' && attempts === 0)}
      onPress={() => onReplay(eventId)}
    >
      Replay
    </Button>
  ),
});
