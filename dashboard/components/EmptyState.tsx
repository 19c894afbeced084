// The placeholder for an empty list: a description and the next step.

import type { ReactNode } from 'react';
import type { Icon } from './icons.tsx';

type EmptyStateProps = { icon: Icon; title: string; children?: ReactNode; actions?: ReactNode };

export const EmptyState = ({ icon: Icon, title, children, actions }: EmptyStateProps) => (
  <div className="empty">
    <Icon size={28} strokeWidth={1.5} aria-hidden="true" />
    <h2>{title}</h2>
    {children && <p>{children}</p>}
    {actions && <div className="actions">{actions}</div>}
  </div>
);
