// What an application is and what it allows.

import { Card } from '../../parts/Card.tsx';
import { Copyable } from '../../parts/Copy.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { Switch } from '../../parts/Switch.tsx';
import { When } from '../../parts/When.tsx';
import type { Application } from '../../service/applications.ts';
import { inWords } from '../../service/conversation.ts';
import { usePlace } from '../../shell/place.ts';
import { useApplicationChange } from './applicationChange.ts';
import { IdentitySecret } from './IdentitySecret.tsx';
import { Origins } from './Origins.tsx';
import { RenameApplication } from './RenameApplication.tsx';

const whyNative =
  'A native application has no web page around the widget, so there is no origin to check. Allow it only if you have one.';

export const Settings = ({ application }: { application: Application }) => {
  const { may } = usePlace();
  return (
    <>
      <Card title="Application" actions={may('developer') && <RenameApplication application={application} />}>
        <dl className="facts">
          <dt>Application id</dt>
          <dd>
            <Copyable text={application.id} what="application id" />
          </dd>
          <dt>Environment</dt>
          <dd>{application.environment === 'sandbox' ? 'Sandbox' : 'Production'}, fixed for good</dd>
          <dt>Created</dt>
          <dd>
            <When at={application.createdAt} full />
          </dd>
        </dl>
      </Card>
      <Origins application={application} />
      <IdentitySecret application={application} />
      <NativeUse application={application} />
    </>
  );
};

const NativeUse = ({ application }: { application: Application }) => {
  const { may } = usePlace();
  const change = useApplicationChange(application);
  const words = 'Native applications may open the widget';
  return (
    <Card title="Native use" note={whyNative}>
      {change.error && <Notice tone="bad">{inWords(change.error)}</Notice>}
      {may('developer') ? (
        <Switch
          isSelected={change.isPending ? change.variables.nativeAllowed! : application.nativeAllowed}
          isDisabled={change.isPending}
          onChange={(nativeAllowed) => change.mutate({ nativeAllowed })}
        >
          {words}
        </Switch>
      ) : (
        <p>{application.nativeAllowed ? `${words}.` : 'Native applications may not open the widget.'}</p>
      )}
    </Card>
  );
};
