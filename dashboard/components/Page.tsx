// The frame of a page: document title and heading. After navigation, the heading gets focus, and the page scrolls to the top,
// as browsers do for a new document.
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { ChevronLeft } from './icons.tsx';

// The current page's path, and the heading that was focused for it.
let shownPath: string | undefined;
let focusedHeading: HTMLElement | null = null;

/** True after navigation to another page, or if loaded content replaced the focused heading. */
const isFocusNeeded = (): boolean => {
  const previousPath = shownPath;
  shownPath = window.location.pathname;
  if (previousPath !== shownPath) return previousPath !== undefined;
  return focusedHeading?.isConnected === false && document.activeElement === document.body;
};

/** Scrolls to the top and focuses the heading, as after navigation. */
export const showTop = (): void => {
  document.querySelector('h1')?.focus({ preventScroll: true });
  window.scrollTo(0, 0);
};

/** Sets the document title. Returns the ref for the heading to focus after navigation. */
export const useDocumentTitle = (title: string) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Bank Connection`;
  }, [title]);
  useEffect(() => {
    if (!isFocusNeeded()) return;
    focusedHeading = heading.current;
    focusedHeading?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, []);
  return heading;
};

type PageProps = {
  title: string;
  /** Shown after the title, for example a badge. */
  titleSuffix?: ReactNode;
  description?: ReactNode;
  back?: { to: string; label: string };
  actions?: ReactNode;
  children: ReactNode;
};

export const Page = ({ title, titleSuffix, description, back, actions, children }: PageProps) => {
  const heading = useDocumentTitle(title);
  return (
    <div className="page">
      {back && (
        <Link className="back-link" to={back.to}>
          <ChevronLeft size={16} aria-hidden="true" />
          {back.label}
        </Link>
      )}
      <header className="page-head">
        <div className="heading-text">
          <h1 ref={heading} tabIndex={-1}>
            {title}
            {titleSuffix}
          </h1>
          {description && <p>{description}</p>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
};
