// The page of a webhook endpoint: state, actions and deliveries.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, errorMessage } from '../../api/apiClient.ts';
import { useApiMutation } from '../../api/queryClient.ts';
import {
  type EndpointPath,
  enableWebhookEndpoint,
  type WebhookEndpoint,
  webhookEndpointsQuery,
} from '../../api/webhooks.ts';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { Copyable } from '../../components/CopyButton.tsx';
import { QueryError } from '../../components/ErrorNotice.tsx';
import { Notice } from '../../components/Notice.tsx';
import { Page } from '../../components/Page.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { Timestamp } from '../../components/Timestamp.tsx';
import { disabledReasonLabels } from '../../labels/webhooks.ts';
import { useOrgContext } from '../../shell/orgContext.ts';
import { NotFound } from '../NotFound.tsx';
import { DeliveryList } from './DeliveryList.tsx';
import { EndpointActions } from './EndpointActions.tsx';
import { DeliveryCounts, EndpointStateBadge } from './EndpointList.tsx';

/** After sending, the page polls for the result every second for this long. */
const quickRefetchMs = 30_000;

export const Endpoint = (path: EndpointPath) => {
  const { root } = useOrgContext();
  const [quickUntil, setQuickUntil] = useState(0);
  const [testsSent, setTestsSent] = useState(0);
  const query = useQuery(webhookEndpointsQuery(path.applicationId, quickUntil));
  const endpoint = query.data?.find(({ id }) => id === path.endpointId);
  const isNotFound = query.error instanceof ApiError && query.error.code === 'not_found';
  if (isNotFound || (query.data && !endpoint)) return <NotFound />;
  const onSent = () => setQuickUntil(Date.now() + quickRefetchMs);
  const onTestSent = () => {
    onSent();
    setTestsSent(testsSent + 1);
  };
  return (
    <Page
      title={endpoint ? new URL(endpoint.url).host : 'Webhook endpoint'}
      titleSuffix={endpoint && <EndpointStateBadge state={endpoint.state} />}
      back={{ to: `${root}/webhooks?application=${path.applicationId}`, label: 'Webhooks' }}
      actions={endpoint && <EndpointActions path={path} endpoint={endpoint} onTestSent={onTestSent} />}
    >
      {query.isError && !endpoint && <QueryError query={query} />}
      {query.isPending && (
        <Card>
          <Skeleton lines={5} />
        </Card>
      )}
      {endpoint && (
        <>
          <EndpointNotice path={path} endpoint={endpoint} />
          <EndpointFacts endpoint={endpoint} />
          {/* Keyed, so that a test event is shown regardless of the previous filter and page. */}
          <DeliveryList
            key={testsSent}
            path={path}
            endpoint={endpoint}
            quickUntil={quickUntil}
            onReplayed={onSent}
          />
        </>
      )}
    </Page>
  );
};

type NoticeProps = { path: EndpointPath; endpoint: WebhookEndpoint };

/** The endpoint's problem and its consequences. */
const EndpointNotice = ({ path, endpoint }: NoticeProps) => {
  const { hasRole } = useOrgContext();
  const enabling = useApiMutation(() => enableWebhookEndpoint(path), {
    invalidates: [['webhookEndpoints', path.applicationId]],
  });
  if (endpoint.state === 'active') return null;
  if (endpoint.state === 'failing') {
    return (
      <Notice tone="warn">
        <strong>Deliveries to this endpoint are failing.</strong>
        <p>
          The first attempt failed <Timestamp at={endpoint.failingSince} />, and none has succeeded since.
          Each event is attempted up to eight times within 28 hours. Then it counts as failed and can be
          replayed. After five days without a success, the endpoint is disabled.
        </p>
      </Notice>
    );
  }
  return (
    <Notice tone="warn">
      <strong>This endpoint is disabled and receives no events.</strong>
      {endpoint.disabledReason && <p>{disabledReasonLabels[endpoint.disabledReason]}</p>}
      <p>
        It was disabled <Timestamp at={endpoint.disabledAt} />. Events since then are not sent later, so have
        your backend read the changes after you enable it. Events that failed earlier can be replayed.
      </p>
      {enabling.error && <p>{errorMessage(enabling.error)}</p>}
      {hasRole('developer') && (
        <div className="actions">
          <Button primary compact isPending={enabling.isPending} onPress={() => enabling.mutate(undefined)}>
            Enable
          </Button>
        </div>
      )}
    </Notice>
  );
};

const EndpointFacts = ({ endpoint }: { endpoint: WebhookEndpoint }) => (
  <Card title="Endpoint">
    <dl className="definition-list">
      <dt>URL</dt>
      <dd>
        <Copyable text={endpoint.url} label="URL" />
      </dd>
      <dt>Endpoint id</dt>
      <dd>
        <Copyable text={endpoint.id} label="endpoint id" />
      </dd>
      <dt>Created</dt>
      <dd>
        <Timestamp at={endpoint.createdAt} absolute />
      </dd>
      <dt>Last 30 days</dt>
      <dd>
        <DeliveryCounts deliveries={endpoint.deliveries} />
      </dd>
    </dl>
  </Card>
);
