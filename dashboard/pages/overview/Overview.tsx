// Whether an application is well: at a glance above, and what it rests on below.
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { type Application, overviewQuery, type TimeRange } from '../../api/applications.ts';
import { ApplicationPicker, useSelectedApplication } from '../../components/ApplicationPicker.tsx';
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { NoApplication } from '../../components/NoApplication.tsx';
import { Notice } from '../../components/Notice.tsx';
import { Page } from '../../components/Page.tsx';
import { Choose } from '../../components/Select.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { healthOf } from './health.ts';
import { OverviewContentSkeleton, overviewNote } from './OverviewSkeleton.tsx';
import { Tiles } from './Tiles.tsx';
import { RefreshChart, RequestChart } from './TimeCharts.tsx';
import { UsageTables } from './UsageTables.tsx';

const timeRanges = [
  { value: 'hour', label: 'Last hour' },
  { value: 'day', label: 'Last 24 hours' },
  { value: 'week', label: 'Last 7 days' },
  { value: 'month', label: 'Last 30 days' },
] as const;

const Overview = () => {
  const picked = useSelectedApplication();
  const [search, setSearch] = useSearchParams();
  const range = timeRanges.find(({ value }) => value === search.get('range'))?.value ?? 'day';
  const setRange = (next: TimeRange) =>
    setSearch(
      (held) => {
        const kept = new URLSearchParams(held);
        kept.set('range', next);
        return kept;
      },
      { replace: true },
    );
  return (
    <Page
      title="Overview"
      description={overviewNote}
      actions={
        picked.application && (
          <>
            <ApplicationPicker {...picked} />
            <div className="range-picker">
              <Choose label="Time" hideLabel value={range} options={timeRanges} onChange={setRange} />
            </div>
          </>
        )
      }
    >
      {picked.error && <ErrorNotice error={picked.error} onRetry={picked.retry} />}
      {!picked.applications && !picked.error && <OverviewContentSkeleton />}
      {picked.applications?.length === 0 && <NoApplication />}
      {picked.application && (
        <OverviewContent key={picked.application.id} application={picked.application} range={range} />
      )}
    </Page>
  );
};

export default Overview;

const OverviewContent = ({ application, range }: { application: Application; range: TimeRange }) => {
  const found = useQuery(overviewQuery(application.id, range));
  if (found.isError && !found.data) {
    return <ErrorNotice error={found.error} onRetry={() => found.refetch()} isRetrying={found.isFetching} />;
  }
  if (!found.data) return <OverviewContentSkeleton />;
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
        <RefreshChart overview={found.data} />
        <RequestChart overview={found.data} />
      </div>
      <UsageTables overview={found.data} />
    </>
  );
};
