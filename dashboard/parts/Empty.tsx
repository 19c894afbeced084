// Where nothing is yet: what would be here, and what to do next.
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

type EmptyProps = { picture: LucideIcon; title: string; children?: ReactNode; actions?: ReactNode };

export const Empty = ({ picture: Picture, title, children, actions }: EmptyProps) => (
  <div className="empty">
    <Picture size={28} strokeWidth={1.5} aria-hidden="true" />
    <h2>{title}</h2>
    {children && <p>{children}</p>}
    {actions && <div className="actions">{actions}</div>}
  </div>
);
