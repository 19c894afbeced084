// The sandbox's clock, which goes forward by more than time does when somebody wants to see tomorrow.
import { useState } from 'react';
import { useApiMutation } from '../../api/queryClient.ts';
import { advanceClock, type Sandbox, sandboxQueryKey } from '../../api/sandbox.ts';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { ConfirmModal } from '../../components/Modal.tsx';
import { Notice } from '../../components/Notice.tsx';
import { formatDateTime } from '../../components/Timestamp.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';

const clockSteps = [
  { words: 'an hour', seconds: 3_600 },
  { words: 'a day', seconds: 86_400 },
  { words: 'a week', seconds: 7 * 86_400 },
  { words: '30 days', seconds: 30 * 86_400 },
];

type ClockStep = (typeof clockSteps)[number];

export const SandboxClock = ({ sandbox: { clock } }: { sandbox: Sandbox }) => {
  const { hasRole } = useOrgContext();
  return (
    <Card
      title="Clock"
      description="Move it forward to see refreshes, pending entries that are posted, and data that is deleted."
    >
      <dl className="facts">
        <dt>The sandbox’s time</dt>
        <dd className="number">
          <time dateTime={clock.now}>{formatDateTime(clock.now)}</time>
        </dd>
        <dt>Ahead by</dt>
        <dd>{formatOffset(clock.offsetSeconds)}</dd>
      </dl>
      {hasRole('developer') && <AdvanceClock />}
    </Card>
  );
};

const AdvanceClock = () => {
  const { organization } = useOrgContext();
  const [asked, setAsked] = useState<ClockStep>();
  const [moved, setMoved] = useState<ClockStep>();
  const moving = useApiMutation((leap: ClockStep) => advanceClock(organization.id, leap.seconds), {
    invalidates: [sandboxQueryKey, ['connections'], ['connection']],
    onSuccess: () => {
      setMoved(asked);
      setAsked(undefined);
    },
  });
  return (
    <>
      <fieldset className="stack tight">
        <legend className="small soft">Move forward by</legend>
        <div className="actions">
          {clockSteps.map((leap) => (
            <Button key={leap.seconds} compact onPress={() => setAsked(leap)}>
              {leap.words}
            </Button>
          ))}
        </div>
      </fieldset>
      {moved && <Notice tone="good">The clock has moved forward by {moved.words}.</Notice>}
      <ConfirmModal
        title={`Move the clock forward by ${asked?.words ?? ''}?`}
        action="Move the clock"
        danger={false}
        isOpen={asked !== undefined}
        isPending={moving.isPending}
        error={moving.error}
        onConfirm={() => asked && moving.mutate(asked)}
        onClose={() => {
          moving.reset();
          setAsked(undefined);
        }}
      >
        <p>
          For every Sandbox application of this service, and for good: the clock does not go back. What is due
          by then happens at once.
        </p>
      </ConfirmModal>
    </>
  );
};

const formatOffset = (seconds: number): string => {
  if (seconds < 60) return 'Nothing: it shows real time';
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3_600);
  const minutes = Math.floor((seconds % 3_600) / 60);
  const parts = [
    days && `${days} ${days === 1 ? 'day' : 'days'}`,
    hours && `${hours} ${hours === 1 ? 'hour' : 'hours'}`,
    minutes && `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`,
  ];
  return parts.filter(Boolean).join(', ');
};
