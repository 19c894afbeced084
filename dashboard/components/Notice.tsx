// A sentence or two that must not be overlooked.

import type { ReactNode } from 'react';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from './icons.tsx';

export type Tone = 'plain' | 'good' | 'warn' | 'bad';

const noticeIcons = { plain: Info, good: CircleCheck, warn: TriangleAlert, bad: CircleAlert };

/** What went wrong is announced at once, anything else when the reader comes to rest. */
export const Notice = ({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) => {
  const Picture = noticeIcons[tone];
  return (
    <div className={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Picture size={18} aria-hidden="true" />
      <div>{children}</div>
    </div>
  );
};
