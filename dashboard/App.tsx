// Which page stands at which address. Who is not signed in sees the pages at the door; who is, their organizations.
import { useQuery } from '@tanstack/react-query';
import { Redirect, Route, Switch, useLocation, useSearch } from 'wouter';
import { Invitation } from './pages/entry/Invitation.tsx';
import { Reset } from './pages/entry/Reset.tsx';
import { SignIn } from './pages/entry/SignIn.tsx';
import { Unreached } from './pages/entry/Unreached.tsx';
import { sessionQuery } from './service/session.ts';
import { Inside } from './shell/Inside.tsx';
import { Shell } from './shell/Shell.tsx';

export const App = () => (
  <Switch>
    <Route path="/invitation">
      <Invitation />
    </Route>
    <Route path="/reset">
      <Reset />
    </Route>
    <Route>
      <Guarded />
    </Route>
  </Switch>
);

const Guarded = () => {
  const session = useQuery(sessionQuery);
  const [path] = useLocation();
  const search = useSearch();
  if (session.isPending) return <Shell isWaiting />;
  if (session.isError) return <Unreached error={session.error} onRetry={() => session.refetch()} />;
  const isAtDoor = path === '/sign-in';
  if (session.data)
    return isAtDoor ? <Redirect to={afterwards(search)} replace /> : <Inside session={session.data} />;
  return isAtDoor ? <SignIn /> : <Redirect to={doorFrom(path, search)} replace />;
};

/** The door, which remembers where its reader wanted to go. */
const doorFrom = (path: string, search: string): string => {
  const wanted = path + (search && `?${search}`);
  return wanted === '/' ? '/sign-in' : `/sign-in?${new URLSearchParams([['then', wanted]])}`;
};

/** Only to a page of the dashboard: an address from a link could lead anywhere. */
const afterwards = (search: string): string => {
  const wanted = new URLSearchParams(search).get('then') ?? '/';
  return /^\/(?![/\\])/.test(wanted) ? wanted : '/';
};
