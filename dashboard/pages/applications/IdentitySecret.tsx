// The secret with which a backend signs its user ids, so that nobody can open the widget as somebody else.
import { useState } from 'react';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { ShownOnce } from '../../parts/ShownOnce.tsx';
import { Switch } from '../../parts/Switch.tsx';
import { When } from '../../parts/When.tsx';
import { Confirm } from '../../parts/Window.tsx';
import { type Application, makeIdentitySecret } from '../../service/applications.ts';
import { inWords } from '../../service/conversation.ts';
import { useChange } from '../../service/queries.ts';
import { usePlace } from '../../shell/place.ts';
import { useApplicationChange } from './applicationChange.ts';

const whySigned =
  'Your backend signs the external user id with a secret. Then nobody can open the widget in the name of another user by changing the page.';

export const IdentitySecret = ({ application }: { application: Application }) => {
  const { may } = usePlace();
  const { secretCreatedAt } = application.identity;
  return (
    <Card
      title="Signed users"
      note={whySigned}
      actions={may('developer') && <MakeSecret application={application} />}
    >
      <dl className="facts">
        <dt>Signing secret</dt>
        <dd>
          {secretCreatedAt ? (
            <>
              Made <When at={secretCreatedAt} full />
            </>
          ) : (
            'None yet'
          )}
        </dd>
      </dl>
      <Requirement application={application} />
    </Card>
  );
};

const Requirement = ({ application }: { application: Application }) => {
  const { may } = usePlace();
  const change = useApplicationChange(application);
  const { required, secretCreatedAt } = application.identity;
  if (!may('developer')) {
    return <p>{required ? 'A signature is required.' : 'A signature is not required.'}</p>;
  }
  return (
    <div className="stack tight">
      {change.error && <Notice tone="bad">{inWords(change.error)}</Notice>}
      <Switch
        isSelected={change.isPending ? change.variables.identityRequired! : required}
        isDisabled={!secretCreatedAt || change.isPending}
        onChange={(identityRequired) => change.mutate({ identityRequired })}
      >
        Refuse an external user id without a valid signature
      </Switch>
      <p className="hint">
        {secretCreatedAt
          ? 'Turn it on once your backend sends the signature; until then, the widget would be refused.'
          : 'Make a secret first.'}
      </p>
    </div>
  );
};

const MakeSecret = ({ application }: { application: Application }) => {
  const [isAsking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string>();
  const has = application.identity.secretCreatedAt !== null;
  const making = useChange(() => makeIdentitySecret(application.id), {
    refreshes: [['application', application.id]],
    onDone: (made) => {
      setSecret(made.secret);
      setAsking(false);
    },
  });
  const make = () => making.mutate(undefined);
  return (
    <>
      <Button compact isPending={making.isPending && !isAsking} onPress={has ? () => setAsking(true) : make}>
        {has ? 'Replace the secret' : 'Make a secret'}
      </Button>
      {!isAsking && making.error && <Notice tone="bad">{inWords(making.error)}</Notice>}
      <Confirm
        title="Replace the signing secret?"
        action="Replace the secret"
        isOpen={isAsking}
        isPending={making.isPending}
        error={making.error}
        onConfirm={make}
        onClose={() => setAsking(false)}
      >
        <p>
          The present secret stops working at once. Until your backend has the new one, its signatures are
          refused.
        </p>
      </Confirm>
      <ShownOnce
        title="Your signing secret"
        what="signing secret"
        text={secret}
        onClose={() => setSecret(undefined)}
      >
        Keep it in your backend only. Sign the external user id with it (HMAC-SHA256, in hex).
      </ShownOnce>
    </>
  );
};
