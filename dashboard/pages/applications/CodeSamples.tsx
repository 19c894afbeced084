// Shows code samples with this application's id and this service's URL.
import type { Application } from '../../api/applications.ts';
import { Card } from '../../components/Card.tsx';
import { CodeBlock } from '../../components/CodeBlock.tsx';
import { Tabs } from '../../components/Tabs.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';
import { samplesFor } from './samples.ts';

export const CodeSamples = ({ application }: { application: Application }) => {
  const { baseUrl } = useOrgContext().session;
  const samples = samplesFor({
    applicationId: application.id,
    baseUrl,
    isSigned: application.identity.secretCreatedAt !== null,
  });
  return (
    <Card
      title="Connect a bank, read its data"
      description="You need both: the page opens the widget, and your backend stores the scoped token and uses it to read data."
    >
      <Tabs label="Code samples" tabs={samples}>
        {({ label, note, code }) => (
          <>
            <p className="muted">{note}</p>
            <CodeBlock text={code} label={`${label} sample`} />
          </>
        )}
      </Tabs>
    </Card>
  );
};
