// The layout of a screen.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** The id of the heading, which describes the first field. */
export const headingId = 'heading';
const leadId = 'lead';

type ScreenLayout = {
  title: string;
  lead?: string;
  /** An avatar or icon above the heading. */
  top?: ComponentChildren;
  /** Below the content; does not scroll. */
  footer?: ComponentChildren;
  centered?: true;
  /** Turns the screen into a form. */
  onSubmit?: (form: HTMLFormElement) => void;
  children?: ComponentChildren;
};

/**
 * A heading, scrolling content, and a footer with the actions. A new screen moves the focus to the field with `data-first`, which
 * the heading describes, or else to the heading, so that screen readers announce the screen.
 */
export const Screen = ({ title, lead, top, footer: foot, centered, onSubmit, children }: ScreenLayout) => {
  const screen = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // A layout effect, because the user may already be typing when a later effect moves the focus.
  useLayoutEffect(() => {
    const focus = () => {
      const first = screen.current?.querySelector<HTMLElement>('[data-first]');
      (first ?? heading.current)?.focus({ preventScroll: true });
    };
    // The first screen is rendered before the frame has focus, and loses its own focus when the frame gains focus.
    const focusIfNone = () => {
      if (document.activeElement === document.body) focus();
    };
    focus();
    addEventListener('focus', focusIfNone);
    return () => removeEventListener('focus', focusIfNone);
  }, [title]);

  const content = (
    <>
      <div class={centered ? 'content centered' : 'content'}>
        {/* In low windows, it stays visible at the top. */}
        <div class="screen-heading">
          {top}
          <h2 ref={heading} id={headingId} tabIndex={-1} aria-describedby={lead && leadId}>
            {title}
          </h2>
        </div>
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
