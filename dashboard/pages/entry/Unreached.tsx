// The service did not even say who is signed in.
import { Failure } from '../../parts/Failure.tsx';
import { Entry } from './Entry.tsx';

export const Unreached = ({ error, onRetry }: { error: Error; onRetry: () => void }) => (
  <Entry title="The dashboard cannot start">
    <Failure error={error} onRetry={onRetry} />
  </Entry>
);
