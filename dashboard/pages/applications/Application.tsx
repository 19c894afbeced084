// One application: its settings, access keys and code to begin with.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ApiError } from '../../api/apiClient.ts';
import { applicationQuery } from '../../api/applications.ts';
import { EnvironmentBadge } from '../../components/Badge.tsx';
import { Card } from '../../components/Card.tsx';
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { Page } from '../../components/Page.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';
import { NotFound } from '../NotFound.tsx';
import { ApiKeys } from './ApiKeys.tsx';
import { CodeSamples } from './CodeSamples.tsx';
import { Settings } from './Settings.tsx';

const sections = [
  { id: 'settings', label: 'Settings', content: Settings },
  { id: 'keys', label: 'Access keys', content: ApiKeys },
  { id: 'code', label: 'Code', content: CodeSamples },
];

export const Application = ({ applicationId, section }: { applicationId: string; section: string }) => {
  const { root } = useOrgContext();
  const found = useQuery(applicationQuery(applicationId));
  const shown = sections.find(({ id }) => id === section);
  const isGone = found.error instanceof ApiError && found.error.code === 'not_found';
  if (!shown || isGone) return <NotFound />;
  const Content = shown.content;
  return (
    <Page
      title={found.data?.name ?? 'Application'}
      titleSuffix={found.data && <EnvironmentBadge environment={found.data.environment} />}
      back={{ to: `${root}/applications`, label: 'Applications' }}
    >
      <nav className="tablist" aria-label="Application">
        {sections.map(({ id, label }) => (
          <Link
            key={id}
            className="tab"
            to={`${root}/applications/${applicationId}/${id}`}
            aria-current={id === section ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      {found.isError && (
        <ErrorNotice error={found.error} onRetry={() => found.refetch()} isRetrying={found.isFetching} />
      )}
      {found.isPending && (
        <Card>
          <Skeleton lines={5} />
        </Card>
      )}
      {found.data && <Content application={found.data} />}
    </Page>
  );
};
