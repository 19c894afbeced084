// What a list with filters shows below them: an error, that there is nothing, that nothing matches, or its table.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { EmptyState } from './EmptyState.tsx';
import { QueryError } from './ErrorNotice.tsx';
import { SearchX } from './icons.tsx';

type ListContentProps = {
  query: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>;
  isEmpty: boolean;
  /** Without it, an empty list matches nothing. */
  isFiltered?: boolean;
  /** Shown where there is nothing at all. */
  none?: ReactNode;
  /** That nothing matches, and how to find something. */
  noMatch: { title: string; hint: string };
  onShowAll: () => void;
  /** The table. */
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
