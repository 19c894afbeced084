// The overview's outline while it is on its way, of the same size.
import { Bones } from '../../parts/Bones.tsx';
import { Card } from '../../parts/Card.tsx';
import { Page } from '../../parts/Page.tsx';

export const OverviewBones = () => (
  <Page title="Overview" note={note}>
    <OverviewOutline />
  </Page>
);

export const note = 'Whether everything works, at a glance.';

export const OverviewOutline = () => (
  <>
    <div className="tiles">
      {['a', 'b', 'c', 'd'].map((name) => (
        <div key={name} className="tile">
          <Bones lines={3} />
        </div>
      ))}
    </div>
    <div className="columns even">
      <Card title="Refreshes">
        <div className="outline-chart">
          <Bones lines={3} />
        </div>
      </Card>
      <Card title="Requests">
        <div className="outline-chart">
          <Bones lines={3} />
        </div>
      </Card>
    </div>
  </>
);
