// An address where nothing is, or nothing for this member.
import { Compass } from 'lucide-react';
import { LinkButton } from '../parts/Button.tsx';
import { Card } from '../parts/Card.tsx';
import { Empty } from '../parts/Empty.tsx';
import { Page } from '../parts/Page.tsx';

export const NotThere = () => (
  <Page title="Not found">
    <Card flush>
      <Empty
        picture={Compass}
        title="There is nothing at this address"
        actions={<LinkButton to="/">Go to the overview</LinkButton>}
      >
        It was removed, or it belongs to an organization that you are not a member of.
      </Empty>
    </Card>
  </Page>
);
