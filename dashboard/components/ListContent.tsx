// What a list with filters shows below them: an error, that there is nothing, that nothing matches, or its table.
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { EmptyState } from './EmptyState.tsx';
import { ErrorNotice } from './ErrorNotice.tsx';
import { SearchX } from './icons.tsx';

type ListContentProps = {
  query: { error: Error | null; isFetching: boolean; refetch(): unknown };
  isEmpty: boolean;
  isFiltered: boolean;
  /** Shown where there is nothing at all. */
  none: ReactNode;
  /** That nothing matches, and how to find something. */
  noMatch: { title: string; hint: string };
  onShowAll: () => void;
  /** The table. */
  children: ReactNode;
};

export const ListContent = (props: ListContentProps) => {
  const { query, isEmpty, isFiltered, none, noMatch, onShowAll, children } = props;
  return (
    <>
      {query.error && (
        <div className="card-body">
          <ErrorNotice error={query.error} onRetry={() => query.refetch()} isRetrying={query.isFetching} />
        </div>
      )}
      {isEmpty && !isFiltered && none}
      {isEmpty && isFiltered && (
        <EmptyState
          icon={SearchX}
          title={noMatch.title}
          actions={<Button onPress={onShowAll}>Show all</Button>}
        >
          {noMatch.hint}
        </EmptyState>
      )}
      {!isEmpty && !query.error && children}
    </>
  );
};
