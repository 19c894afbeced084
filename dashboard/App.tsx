// The top-level routes: sign-in pages without a session, and the organization's pages with one.
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Redirect, Route, Switch, useLocation, useSearch } from 'wouter';
import { sessionQuery } from './api/session.ts';
import { Skeleton } from './components/Skeleton.tsx';
import { Invitation } from './pages/signIn/Invitation.tsx';
import { ResetPassword } from './pages/signIn/ResetPassword.tsx';
import { ServiceUnreachable } from './pages/signIn/ServiceUnreachable.tsx';
import { SignIn } from './pages/signIn/SignIn.tsx';
import { SignInLayout } from './pages/signIn/SignInLayout.tsx';
import { lazyPage } from './shell/lazyPage.ts';
import { LoadingShell } from './shell/Shell.tsx';
import { SignedInApp } from './shell/SignedInApp.tsx';

const RequiredPasskey = lazyPage('RequiredPasskey');

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
  if (session.isPending) return <LoadingShell />;
  if (session.isError) return <ServiceUnreachable error={session.error} onRetry={() => session.refetch()} />;
  if (session.data?.session.requiredStep) {
    return (
      <Suspense
        fallback={
          <SignInLayout title="Passkey">
            <Skeleton lines={4} />
          </SignInLayout>
        }
      >
        <RequiredPasskey session={session.data} />
      </Suspense>
    );
  }
  const isSignInPage = path === '/sign-in';
  if (session.data)
    return isSignInPage ? (
      <Redirect to={returnPath(search)} replace />
    ) : (
      <SignedInApp session={session.data} />
    );
  return isSignInPage ? <SignIn /> : <Redirect to={signInPathFrom(path, search)} replace />;
};

/** The sign-in page. `then` contains the requested path, to return to it after sign-in. */
const signInPathFrom = (path: string, search: string): string => {
  const target = path + (search && `?${search}`);
  return target === '/' ? '/sign-in' : `/sign-in?${new URLSearchParams([['then', target]])}`;
};

/** The path in `then` if it belongs to this origin, else `/`; this prevents open redirects. */
const returnPath = (search: string): string => {
  const target = new URLSearchParams(search).get('then') ?? '/';
  return /^\/(?![/\\])/.test(target) ? target : '/';
};
