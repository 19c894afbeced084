// The layout of every page: a sidebar with organization, navigation and account menu; on a phone behind a button.
import { type ReactNode, type Ref, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Button } from '../components/Button.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { Menu, X } from '../components/icons.tsx';
import { useDocumentTitle } from '../components/Page.tsx';
import { Skeleton } from '../components/Skeleton.tsx';
import { AccountMenu } from './AccountMenu.tsx';
import { Brand } from './Brand.tsx';
import { Navigation } from './Navigation.tsx';
import { OrganizationSwitcher } from './OrganizationSwitcher.tsx';

type ShellProps = { isLoading?: boolean; children?: ReactNode };

export const Shell = ({ isLoading, children }: ShellProps) => (
  <div className="shell">
    <a className="skip" href="#main">
      Skip to content
    </a>
    <header className="sidebar">
      <Link to="/" className="brand">
        <Brand />
      </Link>
      {isLoading ? <Skeleton lines={4} /> : <SidebarContent />}
    </header>
    <TopBar isLoading={isLoading} />
    <main className="main" id="main" tabIndex={-1}>
      {isLoading ? <LoadingPage /> : children}
    </main>
  </div>
);

/** A page while its code is loaded. The heading has the focus, and passes it on to the page's own. */
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
    <Navigation />
    <div className="sidebar-footer">
      <AccountMenu />
    </div>
  </>
);

const TopBar = ({ isLoading }: { isLoading?: boolean }) => {
  const [isOpen, setOpen] = useState(false);
  const [path] = useLocation();
  // Close the menu after navigation.
  useEffect(() => {
    if (path) setOpen(false);
  }, [path]);
  return (
    <header className="top-bar">
      <Link to="/" className="brand">
        <Brand />
      </Link>
      {!isLoading && (
        <Button ghost icon aria-label="Open the menu" onPress={() => setOpen(true)}>
          <Menu size={20} aria-hidden="true" />
        </Button>
      )}
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
    </header>
  );
};
