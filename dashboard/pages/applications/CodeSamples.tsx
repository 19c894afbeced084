// Code to begin with, with this application's id and this service's address already in it.
import { useState } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { Card } from '../../parts/Card.tsx';
import { Code } from '../../parts/Code.tsx';
import type { Application } from '../../service/applications.ts';
import { usePlace } from '../../shell/place.ts';
import { samplesFor } from './samples.ts';

export const CodeSamples = ({ application }: { application: Application }) => {
  const { baseUrl } = usePlace().session;
  const samples = samplesFor({
    applicationId: application.id,
    baseUrl,
    isSigned: application.identity.required,
  });
  const [chosen, setChosen] = useState('html');
  return (
    <Card
      title="Connect a bank, read its data"
      note="The page opens the widget; your backend keeps the scoped token and reads with it. Both pieces are needed."
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
            <Code text={code} what={`${label} sample`} />
          </TabPanel>
        ))}
      </Tabs>
    </Card>
  );
};
