// The log of an application's requests to the API.
import { ApplicationPicker, useSelectedApplication } from '../../components/ApplicationPicker.tsx';
import { OfApplication } from '../../components/OfApplication.tsx';
import { Page } from '../../components/Page.tsx';
import { RequestList } from './RequestList.tsx';

export const Requests = () => {
  const selected = useSelectedApplication();
  return (
    <Page
      title="Requests"
      description="Requests of your backend to the API, with their results. Of wrong parameters only the names are kept, never a value."
      actions={<ApplicationPicker {...selected} />}
    >
      <OfApplication selected={selected}>
        {(application) => <RequestList key={application.id} application={application} />}
      </OfApplication>
    </Page>
  );
};
