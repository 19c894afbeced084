// A page: its title in the tab and at the head. Whoever comes from another page of the dashboard is set at its
// heading, which is what a browser does with a new document.

import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { ChevronLeft } from './icons.tsx';

let mountedPages = 0;

/** Names the document, and sets the reader at the heading that gets the reference. */
export const useDocumentTitle = (title: string) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Bank Connection`;
  }, [title]);
  useEffect(() => {
    mountedPages += 1;
    if (mountedPages === 1) return;
    heading.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, []);
  return heading;
};

type PageProps = {
  title: string;
  /** Beside the title, such as a badge. */
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
        <Link className="crumb" to={back.to}>
          <ChevronLeft size={16} aria-hidden="true" />
          {back.label}
        </Link>
      )}
      <header className="page-head">
        <div className="words">
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
