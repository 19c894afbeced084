// The pages of who is signed in, each within one organization.
import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import type { OrganizationMembership, Session } from '../api/session.ts';
import { Account } from '../pages/account/Account.tsx';
import { Application } from '../pages/applications/Application.tsx';
import { Applications } from '../pages/applications/Applications.tsx';
import { AuditLog } from '../pages/audit/AuditLog.tsx';
import { Connection } from '../pages/connections/Connection.tsx';
import { Connections } from '../pages/connections/Connections.tsx';
import { Members } from '../pages/members/Members.tsx';
import { NoOrganization } from '../pages/NoOrganization.tsx';
import { NotFound } from '../pages/NotFound.tsx';
import { OverviewSkeleton } from '../pages/overview/OverviewSkeleton.tsx';
import { Sandbox } from '../pages/sandbox/Sandbox.tsx';
import { OrgContext } from './orgContext.ts';
import { lastOrganizationId, saveLastOrganizationId } from './persistedState.ts';
import { Shell } from './Shell.tsx';

// The charts weigh as much as everything else together, and only this page has them.
const Overview = lazy(() => import('../pages/overview/Overview.tsx'));

export const SignedInApp = ({ session }: { session: Session }) => {
  const [path] = useLocation();
  const named = path.split('/')[1] ?? '';
  const organization = organizationFor(session, named);
  if (!organization) return <NoOrganization session={session} />;
  saveLastOrganizationId(organization.id);
  const isKnown = named === '' || named === 'account' || named === organization.id;
  return (
    <OrgContext value={{ session, organization }}>
      <Shell>{isKnown ? <OrganizationRoutes organization={organization} /> : <NotFound />}</Shell>
    </OrgContext>
  );
};

/** The one in the address, else the one where its reader was last. */
const organizationFor = ({ organizations }: Session, named: string): OrganizationMembership | undefined =>
  organizations.find(({ id }) => id === named) ??
  organizations.find(({ id }) => id === lastOrganizationId()) ??
  organizations[0];

// Keyed by organization, so that nothing of one is left on the page of another.
const OrganizationRoutes = ({ organization: { id } }: { organization: OrganizationMembership }) => (
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
      <Suspense fallback={<OverviewSkeleton />}>
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
      <AuditLog />
    </Route>
    <Route>
      <NotFound />
    </Route>
  </Switch>
);
