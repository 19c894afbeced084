// What one could not be shown, why, and the way to try again.
import { inWords, Refusal } from '../service/conversation.ts';
import { Button } from './Button.tsx';
import { Notice } from './Notice.tsx';

type FailureProps = { error: Error; onRetry: () => void; isRetrying?: boolean };

export const Failure = ({ error, onRetry, isRetrying }: FailureProps) => (
  <Notice tone="bad">
    <p>{inWords(error)}</p>
    {error instanceof Refusal && error.code === 'internal_error' && error.requestId && (
      <p className="small soft">
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
