// The first thing that every organization needs.
import { AppWindow } from 'lucide-react';
import { usePlace } from '../shell/place.ts';
import { LinkButton } from './Button.tsx';
import { Card } from './Card.tsx';
import { Empty } from './Empty.tsx';

export const NoApplication = () => {
  const { root, may } = usePlace();
  return (
    <Card flush>
      <Empty
        picture={AppWindow}
        title="No application yet"
        actions={
          may('developer') && (
            <LinkButton primary to={`${root}/applications?new`}>
              Create an application
            </LinkButton>
          )
        }
      >
        An application stands for what your users see: a web shop, an app. It has its own access keys and
        connections.
      </Empty>
    </Card>
  );
};
