// What stands in for words that are on their way, of their size, so that nothing jumps when they come.
const lengths = ['72%', '48%', '60%', '36%', '66%'];

type BonesProps = { lines?: number; label?: string };

export const Bones = ({ lines = 3, label = 'Loading' }: BonesProps) => (
  <div role="status" aria-label={label}>
    {Array.from({ length: lines }, (_, line) => (
      <Bone key={line} long={lengths[line % lengths.length]!} />
    ))}
  </div>
);

/** One line of it. */
export const Bone = ({ long }: { long: string }) => (
  <span className="bone" style={{ '--long': long } as React.CSSProperties} />
);
