// Keyset pagination: the service returns the next cursor; previous cursors are kept for going back.
import { useState } from 'react';
import { Button } from './Button.tsx';
import { ChevronLeft, ChevronRight } from './icons.tsx';

export type Paging = {
  cursor: string | undefined;
  page: number;
  next: (cursor: string) => void;
  back: () => void;
  restart: () => void;
};

export const usePaging = (): Paging => {
  const [cursors, setCursors] = useState<string[]>([]);
  return {
    cursor: cursors.at(-1),
    page: cursors.length + 1,
    next: (cursor) => setCursors([...cursors, cursor]),
    back: () => setCursors(cursors.slice(0, -1)),
    restart: () => setCursors([]),
  };
};

type PagerProps = { paging: Paging; nextCursor: string | undefined; isLoading: boolean };

/** Renders nothing if all rows fit on one page. */
export const Pager = ({ paging, nextCursor, isLoading }: PagerProps) =>
  paging.page === 1 && !nextCursor ? null : (
    <nav className="pager" aria-label="Pages">
      <Button compact isDisabled={paging.page === 1 || isLoading} onPress={paging.back}>
        <ChevronLeft size={16} aria-hidden="true" />
        Back
      </Button>
      <span className="small muted number" role="status">
        Page {paging.page}
      </span>
      <Button
        compact
        isDisabled={!nextCursor || isLoading}
        onPress={() => nextCursor && paging.next(nextCursor)}
      >
        Next
        <ChevronRight size={16} aria-hidden="true" />
      </Button>
    </nav>
  );
