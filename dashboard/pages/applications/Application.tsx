// The page of an application: settings, API keys and code samples.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { ApiError } from '../../api/apiClient.ts';
import { applicationQuery } from '../../api/applications.ts';
import { EnvironmentBadge } from '../../components/Badge.tsx';
import { Card } from '../../components/Card.tsx';
import { QueryError } from '../../components/ErrorNotice.tsx';
import { Notice } from '../../components/Notice.tsx';
import { Page, showTop } from '../../components/Page.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { Timestamp } from '../../components/Timestamp.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';
import { NotFound } from '../NotFound.tsx';
import { ApiKeys } from './ApiKeys.tsx';
import { RestoreApplication } from './ArchiveApplication.tsx';
import { CodeSamples } from './CodeSamples.tsx';
import { Settings } from './Settings.tsx';

const sections = [
  { id: 'settings', label: 'Settings', content: Settings },
  { id: 'api-keys', label: 'API keys', content: ApiKeys },
  { id: 'code', label: 'Code', content: CodeSamples },
];

/** The archive button is at the end of the page, but the consequences are explained at the top. */
const useTopOnceArchived = (archivedAt: string | null | undefined): void => {
  const before = useRef(archivedAt);
  useEffect(() => {
    if (before.current === null && archivedAt) showTop();
    before.current = archivedAt;
  }, [archivedAt]);
};

export const Application = ({ applicationId, section }: { applicationId: string; section: string }) => {
  const { root, hasRole } = useOrgContext();
  const query = useQuery(applicationQuery(applicationId));
  useTopOnceArchived(query.data?.archivedAt);
  const selected = sections.find(({ id }) => id === section);
  const isNotFound = query.error instanceof ApiError && query.error.code === 'not_found';
  if (!selected || isNotFound) return <NotFound />;
  const Content = selected.content;
  return (
    <Page
      title={query.data?.name ?? 'Application'}
      titleSuffix={query.data && <EnvironmentBadge environment={query.data.environment} />}
      back={{ to: `${root}/applications`, label: 'Applications' }}
    >
      {query.data?.archivedAt && (
        <Notice tone="warn">
          <p>
            Archived <Timestamp at={query.data.archivedAt} />. Its API keys are refused, and nothing is
            connected, refreshed or sent.
          </p>
          {hasRole('owner') && <RestoreApplication application={query.data} />}
        </Notice>
      )}
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
      <QueryError query={query} />
      {query.isPending && (
        <Card>
          <Skeleton lines={5} />
        </Card>
      )}
      {query.data && <Content application={query.data} />}
    </Page>
  );
};
