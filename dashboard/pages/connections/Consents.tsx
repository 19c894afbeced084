// Lists the end user's consents, newest first, with time, language and text.
import { useQuery } from '@tanstack/react-query';
import { type Consent, consentsQuery } from '../../api/connections.ts';
import { Card } from '../../components/Card.tsx';
import { QueryError } from '../../components/ErrorNotice.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { formatDateTime } from '../../components/Timestamp.tsx';

type ConsentsProps = { applicationId: string; connectionId: string };

export const Consents = ({ applicationId, connectionId }: ConsentsProps) => {
  const query = useQuery(consentsQuery(applicationId, connectionId));
  return (
    <Card title="Consent" description="What the user agreed to, newest first.">
      <QueryError query={query} />
      {query.isPending && <Skeleton lines={2} />}
      {query.data?.length === 0 && <p className="muted">No consent is stored.</p>}
      {query.data?.map((consent) => (
        <ConsentDetails key={consent.acceptedAt} consent={consent} />
      ))}
    </Card>
  );
};

const languageNames = new Intl.DisplayNames('en', { type: 'language' });

const ConsentDetails = ({ consent: { acceptedAt, text } }: { consent: Consent }) => (
  <details className="consent">
    <summary>
      Accepted <time dateTime={acceptedAt}>{formatDateTime(acceptedAt)}</time>, in{' '}
      {languageNames.of(text.language)}
    </summary>
    <div lang={text.language} className="stack tight">
      <strong>{text.title}</strong>
      <ul>
        {text.points.map(({ title, text: explanation }) => (
          <li key={title}>
            {title}: {explanation}
          </li>
        ))}
      </ul>
      <p>{text.agreement}</p>
      {text.links.map(({ label, url }) => (
        <a key={label} href={url} target="_blank" rel="noreferrer">
          {label}
        </a>
      ))}
    </div>
  </details>
);
