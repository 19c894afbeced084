// A placeholder of the overview's size while it loads.

import { Card } from '../../components/Card.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';

export const OverviewSkeleton = () => (
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
