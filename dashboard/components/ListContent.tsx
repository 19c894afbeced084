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
  /** Says how to find something, where nothing matches. */
  noMatch: string;
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
        <EmptyState icon={SearchX} title="No match" actions={<Button onPress={onShowAll}>Show all</Button>}>
          {noMatch}
        </EmptyState>
      )}
      {!isEmpty && !query.error && children}
    </>
  );
};
