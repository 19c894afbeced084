// The tab with an application's settings.
import { errorMessage } from '../../api/apiClient.ts';
import type { Application } from '../../api/applications.ts';
import { Card } from '../../components/Card.tsx';
import { Copyable } from '../../components/CopyButton.tsx';
import { Notice } from '../../components/Notice.tsx';
import { Switch } from '../../components/Switch.tsx';
import { Timestamp } from '../../components/Timestamp.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';
import { Appearance } from './Appearance.tsx';
import { ArchiveApplication } from './ArchiveApplication.tsx';
import { IdentitySecret } from './IdentitySecret.tsx';
import { Origins } from './Origins.tsx';
import { RateLimit } from './RateLimit.tsx';
import { RenameApplication } from './RenameApplication.tsx';
import { ReturnAddresses } from './ReturnAddresses.tsx';
import { useUpdateApplication } from './useUpdateApplication.ts';

const nativeUseNote =
  'In a native application, no web page embeds the widget, so there is no origin to check. Allow this only if you have a native application.';

export const Settings = ({ application }: { application: Application }) => {
  const { hasRole } = useOrgContext();
  return (
    <>
      <Card
        title="Application"
        actions={hasRole('developer') && <RenameApplication application={application} />}
      >
        <dl className="definition-list">
          <dt>Application id</dt>
          <dd>
            <Copyable text={application.id} label="application id" />
          </dd>
          <dt>Environment</dt>
          <dd>{application.environment === 'sandbox' ? 'Sandbox' : 'Production'} (can’t be changed)</dd>
          <dt>Created</dt>
          <dd>
            <Timestamp at={application.createdAt} absolute />
          </dd>
        </dl>
      </Card>
      <Appearance key={application.color} application={application} />
      <Origins application={application} />
      <IdentitySecret application={application} />
      <NativeUse application={application} />
      <ReturnAddresses application={application} />
      <RateLimit application={application} />
      {hasRole('owner') && !application.archivedAt && <ArchiveApplication application={application} />}
    </>
  );
};

const NativeUse = ({ application }: { application: Application }) => {
  const { hasRole } = useOrgContext();
  const update = useUpdateApplication(application);
  const label = 'Native applications may open the widget';
  return (
    <Card title="Native use" description={nativeUseNote}>
      {update.error && <Notice tone="bad">{errorMessage(update.error)}</Notice>}
      {hasRole('developer') ? (
        <Switch
          isSelected={update.isPending ? update.variables.nativeAllowed! : application.nativeAllowed}
          isDisabled={update.isPending}
          onChange={(nativeAllowed) => update.mutate({ nativeAllowed })}
        >
          {label}
        </Switch>
      ) : (
        <p>{application.nativeAllowed ? `${label}.` : 'Native applications may not open the widget.'}</p>
      )}
    </Card>
  );
};
