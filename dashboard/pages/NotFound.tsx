// Shown for unknown paths, and for anything that the member may not see.
import { LinkButton } from '../components/Button.tsx';
import { Card } from '../components/Card.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { Compass } from '../components/icons.tsx';
import { Page } from '../components/Page.tsx';

export const NotFound = () => (
  <Page title="Not found">
    <Card flush>
      <EmptyState
        icon={Compass}
        title="Page not found"
        actions={<LinkButton to="/">Go to the overview</LinkButton>}
      >
        It was removed, or belongs to an organization you’re not a member of.
      </EmptyState>
    </Card>
  </Page>
);
