// The content below a list's filters: an error, an empty state, a message that nothing matches, or the table.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { EmptyState } from './EmptyState.tsx';
import { QueryError } from './ErrorNotice.tsx';
import { SearchX } from './icons.tsx';

type ListContentProps = {
  query: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>;
  isEmpty: boolean;
  /** By default true, so that an empty list shows `noMatch`. */
  isFiltered?: boolean;
  /** Shown if the unfiltered list is empty. */
  none?: ReactNode;
  /** Shown if no row matches the filters. */
  noMatch: { title: string; hint: string };
  onShowAll: () => void;
  children: ReactNode;
};

export const ListContent = (props: ListContentProps) => {
  const { query, isEmpty, isFiltered = true, none, noMatch, onShowAll, children } = props;
  return (
    <>
      <QueryError query={query} flush />
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
