// What stands in for words that are on their way, of their size, so that nothing jumps when they come.
const lineWidths = ['72%', '48%', '60%', '36%', '66%'];

type SkeletonProps = { lines?: number; label?: string };

export const Skeleton = ({ lines = 3, label = 'Loading' }: SkeletonProps) => (
  <div role="status" aria-label={label}>
    {Array.from({ length: lines }, (_, line) => (
      <SkeletonLine key={line} long={lineWidths[line % lineWidths.length]!} />
    ))}
  </div>
);

/** One line of it. */
export const SkeletonLine = ({ long }: { long: string }) => (
  <span className="bone" style={{ '--long': long } as React.CSSProperties} />
);
