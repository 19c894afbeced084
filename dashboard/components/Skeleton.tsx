// Placeholder lines of the content's size, so that the layout does not jump while it loads.
const lineWidths = ['72%', '48%', '60%', '36%', '66%'];

type SkeletonProps = { lines?: number; label?: string };

export const Skeleton = ({ lines = 3, label = 'Loading' }: SkeletonProps) => (
  <div role="status" aria-label={label}>
    {Array.from({ length: lines }, (_, line) => (
      <SkeletonLine key={line} width={lineWidths[line % lineWidths.length]!} />
    ))}
  </div>
);

export const SkeletonLine = ({ width }: { width: string }) => (
  <span className="skeleton-line" style={{ '--line-width': width } as React.CSSProperties} />
);
