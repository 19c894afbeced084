// Code to begin with, with this application's id and this service's address already in it.
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
    isSigned: application.identity.required,
  });
  const [chosen, setChosen] = useState('html');
  return (
    <Card
      title="Connect a bank, read its data"
      description="The page opens the widget; your backend keeps the scoped token and reads with it. Both pieces are needed."
    >
      <Tabs selectedKey={chosen} onSelectionChange={(key) => setChosen(String(key))} className="stack">
        <TabList aria-label="Code samples" className="tablist">
          {samples.map(({ id, label }) => (
            <Tab key={id} id={id} className="tab">
              {label}
            </Tab>
          ))}
        </TabList>
        {samples.map(({ id, label, note, code }) => (
          <TabPanel key={id} id={id} className="tabpanel stack">
            <p className="soft">{note}</p>
            <CodeBlock text={code} what={`${label} sample`} />
          </TabPanel>
        ))}
      </Tabs>
    </Card>
  );
};
