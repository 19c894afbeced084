// The member's own account: name, password, passkeys and sessions.
import { Page } from '../../parts/Page.tsx';
import { usePlace } from '../../shell/place.ts';
import { OwnName } from './OwnName.tsx';
import { OwnPassword } from './OwnPassword.tsx';
import { Passkeys } from './Passkeys.tsx';
import { Sessions } from './Sessions.tsx';

export const Account = () => {
  const { session } = usePlace();
  return (
    <Page title="Your account" note={session.member.email}>
      <div className="columns even">
        <OwnName />
        <OwnPassword />
      </div>
      <Passkeys />
      <Sessions />
    </Page>
  );
};
