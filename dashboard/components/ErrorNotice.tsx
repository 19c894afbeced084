// An error while loading, with its message and a retry button.
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
