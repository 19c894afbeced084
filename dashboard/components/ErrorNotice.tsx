// A loading error with its message and a retry button.
import type { UseQueryResult } from '@tanstack/react-query';
import { ApiError, errorMessage } from '../api/apiClient.ts';
import { Button } from './Button.tsx';
import { Notice } from './Notice.tsx';

type ErrorNoticeProps = { error: Error; onRetry: () => void; isRetrying?: boolean };

export const ErrorNotice = ({ error, onRetry, isRetrying }: ErrorNoticeProps) => (
  <Notice tone="bad">
    <p>{errorMessage(error)}</p>
    {error instanceof ApiError && error.code === 'internal_error' && error.requestId && (
      <p className="small muted">
        For the operator: request <code>{error.requestId}</code>
      </p>
    )}
    <div className="actions">
      <Button compact onPress={onRetry} isPending={isRetrying}>
        Try again
      </Button>
    </div>
  </Notice>
);

type QueryErrorProps = {
  query: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>;
  /** In a card whose content touches its edges. */
  flush?: boolean;
};

/** The error of a failed query, else nothing. */
export const QueryError = ({ query: { error, isFetching, refetch }, flush }: QueryErrorProps) => {
  if (!error) return null;
  const notice = <ErrorNotice error={error} onRetry={() => refetch()} isRetrying={isFetching} />;
  return flush ? <div className="card-body">{notice}</div> : notice;
};
