// The overview while it loads, in the same size.

import { Card } from '../../components/Card.tsx';
import { Page } from '../../components/Page.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';

export const OverviewSkeleton = () => (
  <Page title="Overview" description={overviewNote}>
    <OverviewContentSkeleton />
  </Page>
);

export const overviewNote = 'Health and usage at a glance';

export const OverviewContentSkeleton = () => (
  <>
    <div className="tiles">
      {['a', 'b', 'c', 'd'].map((name) => (
        <div key={name} className="tile">
          <Skeleton lines={3} />
        </div>
      ))}
    </div>
    <div className="columns even">
      <Card title="Refreshes">
        <div className="skeleton-chart">
          <Skeleton lines={3} />
        </div>
      </Card>
      <Card title="Requests">
        <div className="skeleton-chart">
          <Skeleton lines={3} />
        </div>
      </Card>
    </div>
  </>
);
