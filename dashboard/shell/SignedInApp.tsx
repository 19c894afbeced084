// The routes of a signed-in member, inside one organization.
import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import type { OrganizationMembership, Session } from '../api/session.ts';
import { Account } from '../pages/account/Account.tsx';
import { Application } from '../pages/applications/Application.tsx';
import { Applications } from '../pages/applications/Applications.tsx';
import { AuditLog } from '../pages/audit/AuditLog.tsx';
import { Connection } from '../pages/connections/Connection.tsx';
import { Connections } from '../pages/connections/Connections.tsx';
import { LinkSessions } from '../pages/linkSessions/LinkSessions.tsx';
import { Members } from '../pages/members/Members.tsx';
import { NoOrganization } from '../pages/NoOrganization.tsx';
import { NotFound } from '../pages/NotFound.tsx';
import { OverviewSkeleton } from '../pages/overview/OverviewSkeleton.tsx';
import { Requests } from '../pages/requests/Requests.tsx';
import { Sandbox } from '../pages/sandbox/Sandbox.tsx';
import { Simplefin } from '../pages/simplefin/Simplefin.tsx';
import { Endpoint } from '../pages/webhooks/Endpoint.tsx';
import { Webhooks } from '../pages/webhooks/Webhooks.tsx';
import { OrgContext } from './orgContext.ts';
import { lastOrganizationId, saveLastOrganizationId } from './persistedState.ts';
import { Shell } from './Shell.tsx';

// Loaded lazily: the chart library is as large as the rest of the dashboard together.
const Overview = lazy(() => import('../pages/overview/Overview.tsx'));

export const SignedInApp = ({ session }: { session: Session }) => {
  const [path] = useLocation();
  const pathId = path.split('/')[1] ?? '';
  const organization = selectOrganization(session, pathId);
  if (!organization) return <NoOrganization session={session} />;
  saveLastOrganizationId(organization.id);
  const isKnown = pathId === '' || pathId === 'account' || pathId === organization.id;
  return (
    <OrgContext value={{ session, organization }}>
      <Shell>{isKnown ? <OrganizationRoutes organization={organization} /> : <NotFound />}</Shell>
    </OrgContext>
  );
};

/** The organization in the path, else the one used last in this browser, else the first. */
const selectOrganization = ({ organizations }: Session, pathId: string): OrganizationMembership | undefined =>
  organizations.find(({ id }) => id === pathId) ??
  organizations.find(({ id }) => id === lastOrganizationId()) ??
  organizations[0];

// Keyed by organization, so that switching resets all component state.
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
    <Route path="/:organization/link-sessions">
      <LinkSessions />
    </Route>
    <Route path="/:organization/requests">
      <Requests />
    </Route>
    <Route path="/:organization/webhooks">
      <Webhooks />
    </Route>
    <Route path="/:organization/simplefin">
      <Simplefin />
    </Route>
    <Route path="/:organization/applications">
      <Applications />
    </Route>
    <Route path="/:organization/applications/:applicationId/connections/:connectionId">
      {({ applicationId, connectionId }) => (
        <Connection key={connectionId} applicationId={applicationId} connectionId={connectionId} />
      )}
    </Route>
    <Route path="/:organization/applications/:applicationId/webhooks/:endpointId">
      {({ applicationId, endpointId }) => (
        <Endpoint key={endpointId} applicationId={applicationId} endpointId={endpointId} />
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
