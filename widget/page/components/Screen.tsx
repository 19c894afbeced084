// The layout of a screen: a heading, scrolling content and a footer with the actions. A new screen moves the focus to
// its first field, which the heading describes, or to the heading, so that screen readers announce the screen.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** The id of the heading, which describes the first field. */
export const headingId = 'heading';
const leadId = 'lead';

type Props = {
  title: string;
  lead?: string;
  /** An avatar or an icon above the heading. */
  top?: ComponentChildren;
  /** Below the content; does not scroll. */
  footer?: ComponentChildren;
  centered?: true;
  /** Makes the screen a form. */
  onSubmit?: (form: HTMLFormElement) => void;
  children?: ComponentChildren;
};

/** At most one field has `data-first`; it gets the focus. */
export const Screen = ({ title, lead, top, footer: foot, centered, onSubmit, children }: Props) => {
  const screen = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // A layout effect, because the user may already type when a later effect moves the focus.
  useLayoutEffect(() => {
    const first = screen.current?.querySelector<HTMLElement>('[data-first]');
    (first ?? heading.current)?.focus({ preventScroll: true });
  }, [title]);

  const content = (
    <>
      <div class={centered ? 'content centered' : 'content'}>
        {top}
        <h2 ref={heading} id={headingId} tabIndex={-1} aria-describedby={lead && leadId}>
          {title}
        </h2>
        {lead && (
          <p id={leadId} class="lead">
            {lead}
          </p>
        )}
        {children}
      </div>
      {foot && <footer class="footer">{foot}</footer>}
    </>
  );
  return (
    <div class="screen" ref={screen}>
      {onSubmit ? (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit(event.currentTarget);
          }}
        >
          {content}
        </form>
      ) : (
        content
      )}
    </div>
  );
};
