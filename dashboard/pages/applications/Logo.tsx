// The logo of an application, which users see in the widget.
import { FileTrigger } from 'react-aria-components';
import { errorMessage } from '../../api/apiClient.ts';
import { type Application, removeApplicationLogo, setApplicationLogo } from '../../api/applications.ts';
import { useApiMutation } from '../../api/queryClient.ts';
import { Avatar } from '../../components/Avatar.tsx';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { Notice } from '../../components/Notice.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';

const logoNote =
  'Users see it in the widget. A PNG, JPEG or WebP file of at most 100 kB and 512 by 512 pixels.';
const acceptedFileTypes = ['image/png', 'image/jpeg', 'image/webp'];

export const Logo = ({ application }: { application: Application }) => {
  const { id, organizationId, name, logo } = application;
  const { hasRole } = useOrgContext();
  const change = useApiMutation(
    (file: File | undefined) => (file ? setApplicationLogo(id, file) : removeApplicationLogo(id)),
    {
      invalidates: [
        ['application', id],
        ['applications', organizationId],
      ],
    },
  );
  const actions = hasRole('developer') && (
    <>
      {logo && (
        <Button compact isDisabled={change.isPending} onPress={() => change.mutate(undefined)}>
          Remove
        </Button>
      )}
      <FileTrigger
        acceptedFileTypes={acceptedFileTypes}
        onSelect={(files) => files?.[0] && change.mutate(files[0])}
      >
        <Button compact isDisabled={change.isPending}>
          {logo ? 'Replace' : 'Upload'}
        </Button>
      </FileTrigger>
    </>
  );
  return (
    <Card title="Logo" description={logoNote} actions={actions}>
      {change.error && <Notice tone="bad">{errorMessage(change.error)}</Notice>}
      <p className="row">
        <Avatar name={name} logo={logo} />
        {logo ? 'This is what users see.' : 'No logo: users see initials.'}
      </p>
    </Card>
  );
};
