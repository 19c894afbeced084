// A short label for a state. The text carries the meaning; the color only supports it.
import type { ReactNode } from 'react';

type BadgeProps = {
  tone?: 'good' | 'warn' | 'bad' | 'production' | 'plain';
  dot?: boolean;
  children: ReactNode;
};

export const Badge = ({ tone = 'plain', dot, children }: BadgeProps) => (
  <span className={`badge ${tone}${dot ? ' dot' : ''}`}>{children}</span>
);

export const EnvironmentBadge = ({ environment }: { environment: 'sandbox' | 'production' }) => (
  <Badge tone={environment === 'sandbox' ? 'warn' : 'production'}>
    {environment === 'sandbox' ? 'Sandbox' : 'Production'}
  </Badge>
);
