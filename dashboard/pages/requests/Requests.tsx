// The page with the selected application's API requests.
import { useSearchParams } from 'wouter';
import { ApplicationPicker, useSelectedApplication } from '../../components/ApplicationPicker.tsx';
import { OfApplication } from '../../components/OfApplication.tsx';
import { Page } from '../../components/Page.tsx';
import { RequestList } from './RequestList.tsx';

export const Requests = () => {
  const selected = useSelectedApplication();
  const [params] = useSearchParams();
  return (
    <Page
      title="Requests"
      description="API requests from your backend and their results. Only the names of invalid parameters are stored, never their values."
      actions={<ApplicationPicker {...selected} />}
    >
      <OfApplication selected={selected}>
        {(application) => (
          <RequestList key={`${application.id} ${params.get('request')}`} application={application} />
        )}
      </OfApplication>
    </Page>
  );
};
