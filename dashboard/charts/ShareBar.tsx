// Shows the parts of a whole as one bar. Decorative: the numbers are next to it.
import type { Series } from './StackedBarChart.tsx';

type Segment = { name: string; value: number; tone: Series<string>['tone'] | 'none' };

export const ShareBar = ({ parts, isThin }: { parts: readonly Segment[]; isThin?: boolean }) => {
  const whole = Math.max(
    1,
    parts.reduce((sum, { value }) => sum + value, 0),
  );
  let end = 0;
  return (
    <div className={isThin ? 'share-bar thin' : 'share-bar'} aria-hidden="true">
      <svg viewBox="0 0 1000 10" preserveAspectRatio="none">
        <title>Shares</title>
        {parts.map(({ name, value: count, tone }) => {
          const start = end;
          end += (count / whole) * 1000;
          return <rect key={name} className={`fill-${tone}`} x={start} width={end - start} height={10} />;
        })}
      </svg>
    </div>
  );
};
