// The page with an application's link sessions: the furthest steps, the outcomes by bank, and the list.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Application } from '../../api/applications.ts';
import { linkSessionStatisticsQuery } from '../../api/linkSessions.ts';
import { ApplicationPicker, useSelectedApplication } from '../../components/ApplicationPicker.tsx';
import { QueryError } from '../../components/ErrorNotice.tsx';
import { OfApplication } from '../../components/OfApplication.tsx';
import { Page } from '../../components/Page.tsx';
import { Select } from '../../components/Select.tsx';
import { BankTable } from './BankTable.tsx';
import { Funnel } from './Funnel.tsx';
import { LinkSessionList } from './LinkSessionList.tsx';

const periods = [
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
] as const;

export const LinkSessions = () => {
  const selected = useSelectedApplication();
  const [period, setPeriod] = useState<(typeof periods)[number]['value']>('7');
  return (
    <Page
      title="Link sessions"
      description="How far users get in the widget, and why they don’t connect. User input is never shown."
      actions={
        selected.application && (
          <>
            <ApplicationPicker {...selected} />
            <div className="range-picker">
              <Select label="Time" hideLabel value={period} options={periods} onChange={setPeriod} />
            </div>
          </>
        )
      }
    >
      <OfApplication selected={selected}>
        {(application) => (
          <>
            <Statistics key={application.id} application={application} days={period === '7' ? 7 : 30} />
            <LinkSessionList key={`list ${application.id}`} application={application} />
          </>
        )}
      </OfApplication>
    </Page>
  );
};

const Statistics = ({ application, days }: { application: Application; days: 7 | 30 }) => {
  const query = useQuery(linkSessionStatisticsQuery(application.id, days));
  if (query.isError && !query.data) {
    return <QueryError query={query} />;
  }
  return (
    <div className="columns even">
      <Funnel statistics={query.data} />
      <BankTable institutions={query.data?.institutions} isStale={query.isPlaceholderData} />
    </div>
  );
};
