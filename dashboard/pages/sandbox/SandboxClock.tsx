// Shows the sandbox's clock, with buttons to advance it.
import { useState } from 'react';
import { useApiMutation } from '../../api/queryClient.ts';
import { advanceSandboxClock, type Sandbox, sandboxQueryKey } from '../../api/sandbox.ts';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { ConfirmModal } from '../../components/Modal.tsx';
import { Notice } from '../../components/Notice.tsx';
import { formatDateTime } from '../../components/Timestamp.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';

const clockSteps = [
  { label: 'an hour', seconds: 3_600 },
  { label: 'a day', seconds: 86_400 },
  { label: 'a week', seconds: 7 * 86_400 },
  { label: '30 days', seconds: 30 * 86_400 },
];

type ClockStep = (typeof clockSteps)[number];

export const SandboxClock = ({ sandbox: { clock } }: { sandbox: Sandbox }) => {
  const { hasRole } = useOrgContext();
  return (
    <Card
      title="Clock"
      description="Advance it to see refreshes, pending transactions being posted, and expired data being deleted."
    >
      <dl className="definition-list">
        <dt>Sandbox time</dt>
        <dd className="number">
          <time dateTime={clock.now}>{formatDateTime(clock.now)}</time>
        </dd>
        <dt>Offset</dt>
        <dd>{formatOffset(clock.offsetSeconds)}</dd>
      </dl>
      {hasRole('developer') && <AdvanceClock />}
    </Card>
  );
};

const AdvanceClock = () => {
  const { organization } = useOrgContext();
  const [selected, setSelected] = useState<ClockStep>();
  const [lastStep, setLastStep] = useState<ClockStep>();
  const advancing = useApiMutation((step: ClockStep) => advanceSandboxClock(organization.id, step.seconds), {
    invalidates: [sandboxQueryKey, ['connections'], ['connection']],
    onSuccess: () => {
      setLastStep(selected);
      setSelected(undefined);
    },
  });
  return (
    <>
      <fieldset className="stack tight">
        <legend className="small muted">Advance by</legend>
        <div className="actions">
          {clockSteps.map((step) => (
            <Button key={step.seconds} compact onPress={() => setSelected(step)}>
              {step.label}
            </Button>
          ))}
        </div>
      </fieldset>
      {lastStep && <Notice tone="good">The clock was advanced by {lastStep.label}.</Notice>}
      <ConfirmModal
        title={`Advance the clock by ${selected?.label ?? ''}?`}
        action="Advance clock"
        danger={false}
        isOpen={selected !== undefined}
        isPending={advancing.isPending}
        error={advancing.error}
        onConfirm={() => selected && advancing.mutate(selected)}
        onClose={() => {
          advancing.reset();
          setSelected(undefined);
        }}
      >
        <p>
          This affects every Sandbox application of {organization.name} and cannot be undone, because the
          clock only moves forward. Everything due by then happens at once.
        </p>
      </ConfirmModal>
    </>
  );
};

const formatOffset = (seconds: number): string => {
  if (seconds < 60) return 'None';
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
