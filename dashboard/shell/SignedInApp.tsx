// The routes for a signed-in member within one organization.
import { type ReactNode, Suspense, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import type { OrganizationMembership, Session } from '../api/session.ts';
import { NoOrganization } from '../pages/NoOrganization.tsx';
import { NotFound } from '../pages/NotFound.tsx';
import { Overview } from '../pages/overview/Overview.tsx';
import { lazyPage } from './lazyPage.ts';
import { OrgContext, type OrgContextValue } from './orgContext.ts';
import {
  lastEnvironment,
  lastOrganizationId,
  saveLastEnvironment,
  saveLastOrganizationId,
} from './persistedState.ts';
import { PageSkeleton, SignedInShell } from './Shell.tsx';
import type { Environment } from './useEnvironment.ts';

const Account = lazyPage('Account');
const Application = lazyPage('Application');
const Applications = lazyPage('Applications');
const AuditLog = lazyPage('AuditLog');
const Connection = lazyPage('Connection');
const Connections = lazyPage('Connections');
const LinkSessions = lazyPage('LinkSessions');
const Members = lazyPage('Members');
const Requests = lazyPage('Requests');
const Sandbox = lazyPage('Sandbox');
const Simplefin = lazyPage('Simplefin');
const Tokens = lazyPage('Tokens');
const Endpoint = lazyPage('Endpoint');
const Webhooks = lazyPage('Webhooks');

export const SignedInApp = ({ session }: { session: Session }) => {
  const [path] = useLocation();
  const pathId = path.split('/')[1] ?? '';
  const organization = selectOrganization(session, pathId);
  if (!organization) return <NoOrganization session={session} />;
  saveLastOrganizationId(organization.id);
  const isKnown = pathId === '' || pathId === 'account' || pathId === organization.id;
  return (
    <OrganizationContext key={organization.id} {...{ session, organization }}>
      <SignedInShell>
        <Suspense fallback={<PageSkeleton />}>
          {isKnown ? <OrganizationRoutes organization={organization} /> : <NotFound />}
        </Suspense>
      </SignedInShell>
    </OrganizationContext>
  );
};

type OrganizationContextProps = Pick<OrgContextValue, 'session' | 'organization'> & { children: ReactNode };

const OrganizationContext = ({ children, ...value }: OrganizationContextProps) => {
  const { id } = value.organization;
  const [chosenEnvironment, setEnvironment] = useState(() => lastEnvironment(id));
  const chooseEnvironment = (environment: Environment) => {
    saveLastEnvironment(id, environment);
    setEnvironment(environment);
  };
  return <OrgContext value={{ ...value, chosenEnvironment, chooseEnvironment }}>{children}</OrgContext>;
};

/** The organization in the path, else the last one used in this browser, else the first. */
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
      <Overview />
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
    <Route path="/:organization/tokens">
      <Tokens />
    </Route>
    <Route path="/:organization/audit">
      <AuditLog />
    </Route>
    <Route>
      <NotFound />
    </Route>
  </Switch>
);
