// The empty state for an organization that has no applications, or only archived ones.
import { useOrgContext } from '../shell/orgContext.ts';
import { environmentLabels } from '../shell/useEnvironment.ts';
import type { SelectedApplication } from './ApplicationPicker.tsx';
import { LinkButton } from './Button.tsx';
import { Card } from './Card.tsx';
import { EmptyState } from './EmptyState.tsx';
import { AppWindow } from './icons.tsx';

export const NoApplication = ({ selected }: { selected: SelectedApplication }) => (
  <Card flush>{selected.hasArchived ? <AllArchived /> : <NoneYet selected={selected} />}</Card>
);

const AllArchived = () => {
  const { root, hasRole } = useOrgContext();
  return (
    <EmptyState
      icon={AppWindow}
      title="All applications are archived"
      actions={
        hasRole('developer') && (
          <>
            {hasRole('owner') && (
              <LinkButton primary to={`${root}/applications`}>
                Restore an application
              </LinkButton>
            )}
            <LinkButton to={`${root}/applications?new`}>New application</LinkButton>
          </>
        )
      }
    >
      {archivedNote}
    </EmptyState>
  );
};

export const archivedNote =
  'Their data is kept, but nothing is connected, refreshed or sent. An owner can restore them.';

const NoneYet = ({ selected: { environment, hasAny } }: { selected: SelectedApplication }) => {
  const { root, hasRole } = useOrgContext();
  return (
    <EmptyState
      icon={AppWindow}
      title={
        hasAny && environment ? `No ${environmentLabels[environment]} application yet` : 'No application yet'
      }
      actions={
        hasRole('developer') && (
          <LinkButton primary to={`${root}/applications?new`}>
            Create an application
          </LinkButton>
        )
      }
    >
      An application is the product that your users see, such as a web shop or an app. It has its own API keys
      and connections.
    </EmptyState>
  );
};
