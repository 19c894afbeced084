// The empty state of an organization without applications.
import { useOrgContext } from '../shell/orgContext.ts';
import { LinkButton } from './Button.tsx';
import { Card } from './Card.tsx';
import { EmptyState } from './EmptyState.tsx';
import { AppWindow } from './icons.tsx';

export const NoApplication = () => {
  const { root, hasRole } = useOrgContext();
  return (
    <Card flush>
      <EmptyState
        icon={AppWindow}
        title="No application yet"
        actions={
          hasRole('developer') && (
            <LinkButton primary to={`${root}/applications?new`}>
              Create an application
            </LinkButton>
          )
        }
      >
        An application represents what your users see: a web shop, an app. It has its own API keys and
        connections.
      </EmptyState>
    </Card>
  );
};
