// A highlighted message of one or two sentences.
import type { ReactNode } from 'react';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from './icons.tsx';

export type Tone = 'plain' | 'good' | 'warn' | 'bad';

const noticeIcons = { plain: Info, good: CircleCheck, warn: TriangleAlert, bad: CircleAlert };

/** Errors interrupt the screen reader (alert); other tones wait (status). */
export const Notice = ({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) => {
  const Icon = noticeIcons[tone];
  return (
    <div className={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon size={18} aria-hidden="true" />
      <div>{children}</div>
    </div>
  );
};
