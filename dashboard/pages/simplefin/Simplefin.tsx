// The SimpleFIN accesses of an application.
import { ApplicationPicker, useSelectedApplication } from '../../components/ApplicationPicker.tsx';
import { OfApplication } from '../../components/OfApplication.tsx';
import { Page } from '../../components/Page.tsx';
import { AccessList } from './AccessList.tsx';

export const Simplefin = () => {
  const selected = useSelectedApplication();
  return (
    <Page
      title="SimpleFIN"
      description="With an access another application, such as Actual Budget, reads a user’s accounts. What it reads is never shown."
      actions={<ApplicationPicker {...selected} />}
    >
      <OfApplication selected={selected}>
        {(application) => <AccessList key={application.id} application={application} />}
      </OfApplication>
    </Page>
  );
};
