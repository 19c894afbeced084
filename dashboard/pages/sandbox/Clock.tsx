// The sandbox's clock, which goes forward by more than time does when somebody wants to see tomorrow.
import { useState } from 'react';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { exactly } from '../../parts/When.tsx';
import { Confirm } from '../../parts/Window.tsx';
import { useChange } from '../../service/queries.ts';
import { moveClock, type Sandbox, sandboxKey } from '../../service/sandbox.ts';
import { usePlace } from '../../shell/place.ts';

const leaps = [
  { words: 'an hour', seconds: 3_600 },
  { words: 'a day', seconds: 86_400 },
  { words: 'a week', seconds: 7 * 86_400 },
  { words: '30 days', seconds: 30 * 86_400 },
];

type Leap = (typeof leaps)[number];

export const Clock = ({ sandbox: { clock } }: { sandbox: Sandbox }) => {
  const { may } = usePlace();
  return (
    <Card
      title="Clock"
      note="Move it forward to see refreshes, pending entries that are posted, and data that is deleted."
    >
      <dl className="facts">
        <dt>The sandbox’s time</dt>
        <dd className="number">
          <time dateTime={clock.now}>{exactly(clock.now)}</time>
        </dd>
        <dt>Ahead by</dt>
        <dd>{ahead(clock.offsetSeconds)}</dd>
      </dl>
      {may('developer') && <Leaps />}
    </Card>
  );
};

const Leaps = () => {
  const { organization } = usePlace();
  const [asked, setAsked] = useState<Leap>();
  const [moved, setMoved] = useState<Leap>();
  const moving = useChange((leap: Leap) => moveClock(organization.id, leap.seconds), {
    refreshes: [sandboxKey, ['connections'], ['connection']],
    onDone: () => {
      setMoved(asked);
      setAsked(undefined);
    },
  });
  return (
    <>
      <fieldset className="stack tight">
        <legend className="small soft">Move forward by</legend>
        <div className="actions">
          {leaps.map((leap) => (
            <Button key={leap.seconds} compact onPress={() => setAsked(leap)}>
              {leap.words}
            </Button>
          ))}
        </div>
      </fieldset>
      {moved && <Notice tone="good">The clock has moved forward by {moved.words}.</Notice>}
      <Confirm
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
      </Confirm>
    </>
  );
};

const ahead = (seconds: number): string => {
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
