// The actions on a webhook endpoint: send a test event, rotate the secret, delete.
import { useState } from 'react';
import { useLocation } from 'wouter';
import { errorMessage, type Schemas } from '../../api/apiClient.ts';
import { useApiMutation } from '../../api/queryClient.ts';
import {
  deleteWebhookEndpoint,
  type EndpointPath,
  queriesOfSending,
  rotateWebhookSecret,
  sendTestWebhook,
  type WebhookEndpoint,
} from '../../api/webhooks.ts';
import { Button } from '../../components/Button.tsx';
import { ConfirmModal } from '../../components/Modal.tsx';
import { Notice } from '../../components/Notice.tsx';
import { OneTimeSecretModal } from '../../components/OneTimeSecretModal.tsx';
import { Timestamp } from '../../components/Timestamp.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';

type ActionsProps = { path: EndpointPath; endpoint: WebhookEndpoint; onTestSent: () => void };

export const EndpointActions = ({ path, endpoint, onTestSent }: ActionsProps) => {
  const { hasRole } = useOrgContext();
  if (!hasRole('developer')) return null;
  return (
    <>
      {endpoint.state !== 'disabled' && <TestButton path={path} onSent={onTestSent} />}
      <RotateButton path={path} />
      <DeleteButton path={path} endpoint={endpoint} />
    </>
  );
};

const TestButton = ({ path, onSent }: { path: EndpointPath; onSent: () => void }) => {
  const sending = useApiMutation(() => sendTestWebhook(path), {
    invalidates: queriesOfSending(path),
    onSuccess: onSent,
  });
  return (
    <>
      <Button isPending={sending.isPending} onPress={() => sending.mutate(undefined)}>
        Send test event
      </Button>
      {sending.error && <Notice tone="bad">{errorMessage(sending.error)}</Notice>}
    </>
  );
};

const RotateButton = ({ path }: { path: EndpointPath }) => {
  const [isConfirming, setConfirming] = useState(false);
  const [rotated, setRotated] = useState<Schemas['RotatedWebhookSecret']>();
  const rotating = useApiMutation(() => rotateWebhookSecret(path), {
    onSuccess: (result) => {
      setRotated(result);
      setConfirming(false);
    },
  });
  return (
    <>
      <Button onPress={() => setConfirming(true)}>Rotate secret</Button>
      <ConfirmModal
        title="Rotate the signing secret?"
        action="Rotate secret"
        danger={false}
        isOpen={isConfirming}
        isPending={rotating.isPending}
        error={rotating.error}
        onConfirm={() => rotating.mutate(undefined)}
        onClose={() => setConfirming(false)}
      >
        <p>
          You get a new secret. For 24 hours, events are also signed with the current one, so your backend can
          switch without downtime. If you rotated it less than 24 hours ago, the previous secret stops signing
          immediately.
        </p>
      </ConfirmModal>
      <OneTimeSecretModal
        title="Your new signing secret"
        label="signing secret"
        secret={rotated?.secret}
        onClose={() => setRotated(undefined)}
      >
        Until <Timestamp at={rotated?.previousSecretExpiresAt ?? null} absolute />, events are also signed
        with the previous secret. Switch your backend to the new one before then.
      </OneTimeSecretModal>
    </>
  );
};

const DeleteButton = ({ path, endpoint }: { path: EndpointPath; endpoint: WebhookEndpoint }) => {
  const { root } = useOrgContext();
  const [, navigate] = useLocation();
  const [isConfirming, setConfirming] = useState(false);
  const deleting = useApiMutation(() => deleteWebhookEndpoint(path), {
    invalidates: [['webhookEndpoints', path.applicationId]],
    onSuccess: () => navigate(`${root}/webhooks?application=${path.applicationId}`),
  });
  return (
    <>
      <Button danger onPress={() => setConfirming(true)}>
        Delete
      </Button>
      <ConfirmModal
        title="Delete this endpoint?"
        action="Delete endpoint"
        isOpen={isConfirming}
        isPending={deleting.isPending}
        error={deleting.error}
        onConfirm={() => deleting.mutate(undefined)}
        onClose={() => setConfirming(false)}
      >
        <p>
          {new URL(endpoint.url).host} receives no more events, and pending ones are dropped. This cannot be
          undone.
        </p>
      </ConfirmModal>
    </>
  );
};
