// One application: its settings, access keys and code to begin with.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { EnvironmentBadge } from '../../parts/Badge.tsx';
import { Bones } from '../../parts/Bones.tsx';
import { Card } from '../../parts/Card.tsx';
import { Failure } from '../../parts/Failure.tsx';
import { Page } from '../../parts/Page.tsx';
import { applicationQuery } from '../../service/applications.ts';
import { Refusal } from '../../service/conversation.ts';
import { usePlace } from '../../shell/place.ts';
import { NotThere } from '../NotThere.tsx';
import { AccessKeys } from './AccessKeys.tsx';
import { CodeSamples } from './CodeSamples.tsx';
import { Settings } from './Settings.tsx';

const sections = [
  { id: 'settings', label: 'Settings', content: Settings },
  { id: 'keys', label: 'Access keys', content: AccessKeys },
  { id: 'code', label: 'Code', content: CodeSamples },
];

export const Application = ({ applicationId, section }: { applicationId: string; section: string }) => {
  const { root } = usePlace();
  const found = useQuery(applicationQuery(applicationId));
  const shown = sections.find(({ id }) => id === section);
  const isGone = found.error instanceof Refusal && found.error.code === 'not_found';
  if (!shown || isGone) return <NotThere />;
  const Content = shown.content;
  return (
    <Page
      title={found.data?.name ?? 'Application'}
      beside={found.data && <EnvironmentBadge environment={found.data.environment} />}
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
        <Failure error={found.error} onRetry={() => found.refetch()} isRetrying={found.isFetching} />
      )}
      {found.isPending && (
        <Card>
          <Bones lines={5} />
        </Card>
      )}
      {found.data && <Content application={found.data} />}
    </Page>
  );
};
