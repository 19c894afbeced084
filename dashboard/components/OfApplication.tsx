// The content of a page about one application, and its earlier states: loading, failed, and no application.
import type { ReactNode } from 'react';
import type { Application } from '../api/applications.ts';
import type { useSelectedApplication } from './ApplicationPicker.tsx';
import { Card } from './Card.tsx';
import { ErrorNotice } from './ErrorNotice.tsx';
import { NoApplication } from './NoApplication.tsx';
import { Skeleton } from './Skeleton.tsx';

type OfApplicationProps = {
  selected: ReturnType<typeof useSelectedApplication>;
  /** The number of lines in the placeholder card while the applications load. */
  skeletonLines?: number;
  children: (application: Application) => ReactNode;
};

export const OfApplication = ({ selected, skeletonLines = 8, children }: OfApplicationProps) => (
  <>
    {selected.error && <ErrorNotice error={selected.error} onRetry={selected.retry} />}
    {!selected.applications && !selected.error && (
      <Card>
        <Skeleton lines={skeletonLines} />
      </Card>
    )}
    {selected.applications?.length === 0 && <NoApplication selected={selected} />}
    {selected.application && children(selected.application)}
  </>
);
