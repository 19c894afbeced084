// Whether an application is well: at a glance above, and what it rests on below.
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { ApplicationPicker, usePickedApplication } from '../../parts/ApplicationPicker.tsx';
import { Choose } from '../../parts/Choose.tsx';
import { Failure } from '../../parts/Failure.tsx';
import { NoApplication } from '../../parts/NoApplication.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { Page } from '../../parts/Page.tsx';
import { type Application, overviewQuery, type Span } from '../../service/applications.ts';
import { FirstSteps } from './FirstSteps.tsx';
import { healthOf } from './health.ts';
import { note, OverviewOutline } from './OverviewBones.tsx';
import { Tables } from './Tables.tsx';
import { Tiles } from './Tiles.tsx';
import { Refreshes, Requests } from './TimeCharts.tsx';

const spans = [
  { value: 'hour', label: 'Last hour' },
  { value: 'day', label: 'Last 24 hours' },
  { value: 'week', label: 'Last 7 days' },
  { value: 'month', label: 'Last 30 days' },
] as const;

const Overview = () => {
  const picked = usePickedApplication();
  const [search, setSearch] = useSearchParams();
  const span = spans.find(({ value }) => value === search.get('span'))?.value ?? 'day';
  const setSpan = (next: Span) =>
    setSearch(
      (held) => {
        const kept = new URLSearchParams(held);
        kept.set('span', next);
        return kept;
      },
      { replace: true },
    );
  return (
    <Page
      title="Overview"
      note={note}
      actions={
        picked.application && (
          <>
            <ApplicationPicker {...picked} />
            <div className="span-picker">
              <Choose label="Time" quietLabel value={span} options={spans} onChange={setSpan} />
            </div>
          </>
        )
      }
    >
      {picked.error && <Failure error={picked.error} onRetry={picked.retry} />}
      {!picked.applications && !picked.error && <OverviewOutline />}
      {picked.applications?.length === 0 && <NoApplication />}
      {picked.application && (
        <Body key={picked.application.id} application={picked.application} span={span} />
      )}
    </Page>
  );
};

export default Overview;

const Body = ({ application, span }: { application: Application; span: Span }) => {
  const found = useQuery(overviewQuery(application.id, span));
  if (found.isError && !found.data) {
    return <Failure error={found.error} onRetry={() => found.refetch()} isRetrying={found.isFetching} />;
  }
  if (!found.data) return <OverviewOutline />;
  const { active, needsReconnect, revoked, pending } = found.data.connections;
  const health = healthOf(found.data);
  return (
    <>
      {active + needsReconnect + revoked + pending === 0 ? (
        <FirstSteps application={application} />
      ) : (
        <Notice tone={health.tone}>
          <strong>{health.title}</strong>
          <p>{health.detail}</p>
        </Notice>
      )}
      <Tiles application={application} overview={found.data} />
      <div className="columns even">
        <Refreshes overview={found.data} />
        <Requests overview={found.data} />
      </div>
      <Tables overview={found.data} />
    </>
  );
};
