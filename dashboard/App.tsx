// Which page stands at which address. Who is not signed in sees the pages at the door; who is, their organizations.
import { useQuery } from '@tanstack/react-query';
import { Redirect, Route, Switch, useLocation, useSearch } from 'wouter';
import { sessionQuery } from './api/session.ts';
import { Invitation } from './pages/signIn/Invitation.tsx';
import { ResetPassword } from './pages/signIn/ResetPassword.tsx';
import { ServiceUnreachable } from './pages/signIn/ServiceUnreachable.tsx';
import { SignIn } from './pages/signIn/SignIn.tsx';
import { Shell } from './shell/Shell.tsx';
import { SignedInApp } from './shell/SignedInApp.tsx';

export const App = () => (
  <Switch>
    <Route path="/invitation">
      <Invitation />
    </Route>
    <Route path="/reset">
      <ResetPassword />
    </Route>
    <Route>
      <SessionRoutes />
    </Route>
  </Switch>
);

const SessionRoutes = () => {
  const session = useQuery(sessionQuery);
  const [path] = useLocation();
  const search = useSearch();
  if (session.isPending) return <Shell isLoading />;
  if (session.isError) return <ServiceUnreachable error={session.error} onRetry={() => session.refetch()} />;
  const isAtDoor = path === '/sign-in';
  if (session.data)
    return isAtDoor ? <Redirect to={returnPath(search)} replace /> : <SignedInApp session={session.data} />;
  return isAtDoor ? <SignIn /> : <Redirect to={signInPathFrom(path, search)} replace />;
};

/** The door, which remembers where its reader wanted to go. */
const signInPathFrom = (path: string, search: string): string => {
  const wanted = path + (search && `?${search}`);
  return wanted === '/' ? '/sign-in' : `/sign-in?${new URLSearchParams([['then', wanted]])}`;
};

/** Only to a page of the dashboard: an address from a link could lead anywhere. */
const returnPath = (search: string): string => {
  const wanted = new URLSearchParams(search).get('then') ?? '/';
  return /^\/(?![/\\])/.test(wanted) ? wanted : '/';
};
