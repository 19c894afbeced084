// The pages of who is signed in, each within one organization.
import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { Account } from '../pages/account/Account.tsx';
import { Application } from '../pages/applications/Application.tsx';
import { Applications } from '../pages/applications/Applications.tsx';
import { Audit } from '../pages/audit/Audit.tsx';
import { Connection } from '../pages/connections/Connection.tsx';
import { Connections } from '../pages/connections/Connections.tsx';
import { Members } from '../pages/members/Members.tsx';
import { NoOrganization } from '../pages/NoOrganization.tsx';
import { NotThere } from '../pages/NotThere.tsx';
import { OverviewBones } from '../pages/overview/OverviewBones.tsx';
import { Sandbox } from '../pages/sandbox/Sandbox.tsx';
import type { OwnOrganization, Session } from '../service/session.ts';
import { PlaceContext } from './place.ts';
import { rememberedOrganization, rememberOrganization } from './remembered.ts';
import { Shell } from './Shell.tsx';

// The charts weigh as much as everything else together, and only this page has them.
const Overview = lazy(() => import('../pages/overview/Overview.tsx'));

export const Inside = ({ session }: { session: Session }) => {
  const [path] = useLocation();
  const named = path.split('/')[1] ?? '';
  const organization = organizationFor(session, named);
  if (!organization) return <NoOrganization session={session} />;
  rememberOrganization(organization.id);
  const isKnown = named === '' || named === 'account' || named === organization.id;
  return (
    <PlaceContext value={{ session, organization }}>
      <Shell>{isKnown ? <Pages organization={organization} /> : <NotThere />}</Shell>
    </PlaceContext>
  );
};

/** The one in the address, else the one where its reader was last. */
const organizationFor = ({ organizations }: Session, named: string): OwnOrganization | undefined =>
  organizations.find(({ id }) => id === named) ??
  organizations.find(({ id }) => id === rememberedOrganization()) ??
  organizations[0];

// Keyed by organization, so that nothing of one is left on the page of another.
const Pages = ({ organization: { id } }: { organization: OwnOrganization }) => (
  <Switch key={id}>
    <Route path="/">
      <Redirect to={`/${id}/overview`} replace />
    </Route>
    <Route path="/account">
      <Account />
    </Route>
    <Route path="/:organization">
      <Redirect to={`/${id}/overview`} replace />
    </Route>
    <Route path="/:organization/overview">
      <Suspense fallback={<OverviewBones />}>
        <Overview />
      </Suspense>
    </Route>
    <Route path="/:organization/connections">
      <Connections />
    </Route>
    <Route path="/:organization/applications">
      <Applications />
    </Route>
    <Route path="/:organization/applications/:applicationId/connections/:connectionId">
      {({ applicationId, connectionId }) => (
        <Connection key={connectionId} applicationId={applicationId} connectionId={connectionId} />
      )}
    </Route>
    <Route path="/:organization/applications/:applicationId/:section?">
      {({ applicationId, section }) => (
        <Application key={applicationId} applicationId={applicationId} section={section ?? 'settings'} />
      )}
    </Route>
    <Route path="/:organization/sandbox">
      <Sandbox />
    </Route>
    <Route path="/:organization/members">
      <Members />
    </Route>
    <Route path="/:organization/audit">
      <Audit />
    </Route>
    <Route>
      <NotThere />
    </Route>
  </Switch>
);
