// A word about the state of a thing, told apart by its text and by colour besides.
import type { ReactNode } from 'react';

type BadgeProps = { tone?: 'good' | 'warn' | 'bad' | 'accent' | 'plain'; dot?: boolean; children: ReactNode };

export const Badge = ({ tone = 'plain', dot, children }: BadgeProps) => (
  <span className={`badge ${tone}${dot ? ' dot' : ''}`}>{children}</span>
);

export const EnvironmentBadge = ({ environment }: { environment: 'sandbox' | 'production' }) => (
  <Badge tone={environment === 'sandbox' ? 'warn' : 'accent'}>
    {environment === 'sandbox' ? 'Sandbox' : 'Production'}
  </Badge>
);
