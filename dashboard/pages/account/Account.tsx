// The signed-in member's own name, password, passkeys and sessions.
import { Page } from '../../components/Page.tsx';
import { useOrgContext } from '../../shell/orgContext.ts';
import { ChangeName } from './ChangeName.tsx';
import { ChangePassword } from './ChangePassword.tsx';
import { Passkeys } from './Passkeys.tsx';
import { Sessions } from './Sessions.tsx';

export const Account = () => {
  const { session } = useOrgContext();
  return (
    <Page title="Your account" description={session.member.email}>
      <div className="columns even">
        <ChangeName />
        <ChangePassword />
      </div>
      <Passkeys />
      <Sessions />
    </Page>
  );
};
