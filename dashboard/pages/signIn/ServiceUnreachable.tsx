// Shown if the session could not be loaded.
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { SignInLayout } from './SignInLayout.tsx';

export const ServiceUnreachable = ({ error, onRetry }: { error: Error; onRetry: () => void }) => (
  <SignInLayout title="The dashboard cannot start">
    <ErrorNotice error={error} onRetry={onRetry} />
  </SignInLayout>
);
