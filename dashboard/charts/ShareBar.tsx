// Parts of a whole on one line. The words and numbers beside it say the same, so that it is decoration.
import type { Series } from './StackedBarChart.tsx';

type Segment = { name: string; value: number; tone: Series<string>['tone'] | 'none' };

export const ShareBar = ({ parts, isThin }: { parts: readonly Segment[]; isThin?: boolean }) => {
  const whole = Math.max(
    1,
    parts.reduce((sum, { value }) => sum + value, 0),
  );
  let reached = 0;
  return (
    <div className={isThin ? 'bar thin' : 'bar'} aria-hidden="true">
      <svg viewBox="0 0 1000 10" preserveAspectRatio="none">
        <title>Shares</title>
        {parts.map(({ name, value: count, tone }) => {
          const from = reached;
          reached += (count / whole) * 1000;
          return <rect key={name} className={`fill-${tone}`} x={from} width={reached - from} height={10} />;
        })}
      </svg>
    </div>
  );
};
