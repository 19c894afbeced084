// The layout of every page: a sidebar with organization, navigation and account menu. On phones, a button opens it.
import { type ReactNode, type Ref, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { EnvironmentBadge } from '../components/Badge.tsx';
import { Button } from '../components/Button.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { Menu, Search, X } from '../components/icons.tsx';
import { useDocumentTitle } from '../components/Page.tsx';
import { Skeleton } from '../components/Skeleton.tsx';
import { AccountMenu } from './AccountMenu.tsx';
import { Brand } from './Brand.tsx';
import { EnvironmentSwitch } from './EnvironmentSwitch.tsx';
import { Navigation } from './Navigation.tsx';
import { OrganizationSwitcher } from './OrganizationSwitcher.tsx';
import { SearchButton, useSearchDialog } from './search.tsx';
import { type Environment, useEnvironment } from './useEnvironment.ts';

/** Shown while the session loads. */
export const LoadingShell = () => (
  <Shell sidebar={<Skeleton lines={4} />}>
    <LoadingPage />
  </Shell>
);

/** Surrounds an organization's pages. */
export const SignedInShell = ({ children }: { children: ReactNode }) => {
  const environment = useEnvironment();
  const search = useSearchDialog();
  return (
    <Shell
      environment={environment}
      sidebar={
        <>
          <SearchButton onPress={search.open} />
          <SidebarContent />
        </>
      }
      topBar={<TopBarContent environment={environment} openSearch={search.open} />}
    >
      {children}
      {search.dialog}
    </Shell>
  );
};

type ShellProps = { environment?: Environment; sidebar: ReactNode; topBar?: ReactNode; children: ReactNode };

const Shell = ({ environment, sidebar, topBar, children }: ShellProps) => (
  <div className="shell" data-environment={environment}>
    <a className="skip" href="#main">
      Skip to content
    </a>
    <header className="sidebar">
      <Link to="/" className="brand">
        <Brand />
      </Link>
      {sidebar}
    </header>
    <header className="top-bar">
      <Link to="/" className="brand">
        <Brand />
      </Link>
      {topBar}
    </header>
    <main className="main" id="main" tabIndex={-1}>
      {children}
    </main>
  </div>
);

/** Shown while a page's code loads. Its heading has focus, and passes it on to the page's own heading. */
export const PageSkeleton = () => <LoadingPage heading={useDocumentTitle('Dashboard')} />;

const LoadingPage = ({ heading }: { heading?: Ref<HTMLHeadingElement> }) => (
  <div className="page">
    <h1 ref={heading} tabIndex={-1} className="visually-hidden">
      Dashboard
    </h1>
    <Skeleton lines={5} />
  </div>
);

const SidebarContent = () => (
  <>
    <OrganizationSwitcher />
    <EnvironmentSwitch />
    <Navigation />
    <div className="sidebar-footer">
      <AccountMenu />
    </div>
  </>
);

type TopBarContentProps = { environment: Environment | undefined; openSearch: () => void };

const TopBarContent = ({ environment, openSearch }: TopBarContentProps) => {
  const [isOpen, setOpen] = useState(false);
  const [path] = useLocation();
  // Closes the menu after navigation.
  useEffect(() => {
    if (path) setOpen(false);
  }, [path]);
  return (
    <>
      {environment === 'production' && <EnvironmentBadge environment={environment} />}
      <Button ghost icon aria-label="Search" onPress={openSearch}>
        <Search size={20} aria-hidden="true" />
      </Button>
      <Button ghost icon aria-label="Open the menu" onPress={() => setOpen(true)}>
        <Menu size={20} aria-hidden="true" />
      </Button>
      {isOpen && (
        <Dialog className="sidebar drawer" label="Menu" onClose={() => setOpen(false)}>
          <div className="drawer-head">
            <span className="brand">
              <Brand />
            </span>
            <Button ghost icon aria-label="Close the menu" onPress={() => setOpen(false)}>
              <X size={20} aria-hidden="true" />
            </Button>
          </div>
          <SidebarContent />
        </Dialog>
      )}
    </>
  );
};
