// The page with the selected application's SimpleFIN accesses.
import { ApplicationPicker, useSelectedApplication } from '../../components/ApplicationPicker.tsx';
import { OfApplication } from '../../components/OfApplication.tsx';
import { Page } from '../../components/Page.tsx';
import { AccessList } from './AccessList.tsx';

export const Simplefin = () => {
  const selected = useSelectedApplication();
  return (
    <Page
      title="SimpleFIN"
      description="Let apps such as Actual Budget read a user’s accounts. Data read by apps is never shown here."
      actions={<ApplicationPicker {...selected} />}
    >
      <OfApplication selected={selected}>
        {(application) => <AccessList key={application.id} application={application} />}
      </OfApplication>
    </Page>
  );
};
