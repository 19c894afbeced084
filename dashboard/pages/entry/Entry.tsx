// The frame of the pages at the door: one card in the middle.
import type { ReactNode } from 'react';
import { useTitle } from '../../parts/Page.tsx';
import { Brand } from '../../shell/Brand.tsx';

type EntryProps = { title: string; note?: ReactNode; children?: ReactNode };

export const Entry = ({ title, note, children }: EntryProps) => {
  const heading = useTitle(title);
  return (
    <div className="entry">
      <main>
        <div className="brand">
          <Brand />
        </div>
        <div className="card">
          <div className="card-body">
            <div className="stack tight">
              <h1 ref={heading} tabIndex={-1}>
                {title}
              </h1>
              {note && <p className="soft">{note}</p>}
            </div>
            {children}
          </div>
        </div>
      </main>
    </div>
  );
};
