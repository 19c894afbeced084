// Code samples with this application's id and this service's URL.
import { useState } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import type { Application } from '../../api/applications.ts';
import { Card } from '../../components/Card.tsx';
import { CodeBlock } from '../../components/CodeBlock.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';
import { samplesFor } from './samples.ts';

export const CodeSamples = ({ application }: { application: Application }) => {
  const { baseUrl } = useOrgContext().session;
  const samples = samplesFor({
    applicationId: application.id,
    baseUrl,
    isSigned: application.identity.secretCreatedAt !== null,
  });
  const [selected, setSelected] = useState('html');
  return (
    <Card
      title="Connect a bank, read its data"
      description="The page opens the widget; your backend stores the scoped token and reads with it. Both are needed."
    >
      <Tabs selectedKey={selected} onSelectionChange={(key) => setSelected(String(key))} className="stack">
        <TabList aria-label="Code samples" className="tablist">
          {samples.map(({ id, label }) => (
            <Tab key={id} id={id} className="tab">
              {label}
            </Tab>
          ))}
        </TabList>
        {samples.map(({ id, label, note, code }) => (
          <TabPanel key={id} id={id} className="tabpanel stack">
            <p className="muted">{note}</p>
            <CodeBlock text={code} label={`${label} sample`} />
          </TabPanel>
        ))}
      </Tabs>
    </Card>
  );
};
