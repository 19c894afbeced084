// Shows an application's health: summary, key figures, charts and tables.
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'wouter';
import { type Application, overviewQuery, type TimeRange } from '../../api/applications.ts';
import { ApplicationPicker, useSelectedApplication } from '../../components/ApplicationPicker.tsx';
import { ErrorNotice, QueryError } from '../../components/ErrorNotice.tsx';
import { NoApplication } from '../../components/NoApplication.tsx';
import { Notice } from '../../components/Notice.tsx';
import { Page } from '../../components/Page.tsx';
import { Select } from '../../components/Select.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';
import { FirstSteps } from './FirstSteps.tsx';
import { hasConnection, healthOf } from './health.ts';
import { OverviewSkeleton } from './OverviewSkeleton.tsx';
import { Tiles } from './Tiles.tsx';
import { RefreshChart, RequestChart } from './TimeCharts.tsx';
import { UsageTables } from './UsageTables.tsx';

const timeRanges = [
  { value: 'hour', label: 'Last hour' },
  { value: 'day', label: 'Last 24 hours' },
  { value: 'week', label: 'Last 7 days' },
  { value: 'month', label: 'Last 30 days' },
] as const;

export const Overview = () => {
  const selected = useSelectedApplication();
  const [search, setSearch] = useSearchParams();
  const range = timeRanges.find(({ value }) => value === search.get('range'))?.value ?? 'day';
  const setRange = (next: TimeRange) =>
    setSearch(
      (current) => {
        const params = new URLSearchParams(current);
        params.set('range', next);
        return params;
      },
      { replace: true },
    );
  return (
    <Page
      title="Overview"
      description="Health and usage at a glance"
      actions={
        selected.application && (
          <>
            <ApplicationPicker {...selected} />
            <div className="range-picker">
              <Select label="Time" hideLabel value={range} options={timeRanges} onChange={setRange} />
            </div>
          </>
        )
      }
    >
      {selected.error && <ErrorNotice error={selected.error} onRetry={selected.retry} />}
      {!selected.applications && !selected.error && <OverviewSkeleton />}
      {selected.applications?.length === 0 && <NoApplication selected={selected} />}
      {selected.application && (
        <OverviewContent key={selected.application.id} application={selected.application} range={range} />
      )}
    </Page>
  );
};

const OverviewContent = ({ application, range }: { application: Application; range: TimeRange }) => {
  const { root } = useOrgContext();
  const query = useQuery(overviewQuery(application.id, range));
  if (query.isError && !query.data) {
    return <QueryError query={query} />;
  }
  if (!query.data) return <OverviewSkeleton />;
  return (
    <>
      {healthOf(query.data).map(({ tone, title, detail, section }) => (
        <Notice key={title} tone={tone}>
          <strong>{title}</strong>
          <p>{detail}</p>
          {section && (
            <Link to={`${root}/${section.path}?application=${application.id}`}>{section.label}</Link>
          )}
        </Notice>
      ))}
      {!(hasConnection(query.data) && query.data.firstSteps.requestSent) && (
        <FirstSteps application={application} overview={query.data} />
      )}
      <Tiles application={application} overview={query.data} />
      <div className="columns even">
        <RefreshChart overview={query.data} />
        <RequestChart overview={query.data} />
      </div>
      <UsageTables overview={query.data} />
    </>
  );
};
