// What all screens have in common: a heading, room for the content that scrolls, and the actions below it. A new
// screen takes the focus to its first field, which is described by the heading, or else to the heading itself, so
// that a screen reader says where one is without a second copy of the words.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** What describes the first field. */
export const headingId = 'heading';
const leadId = 'lead';

type Props = {
  title: string;
  lead?: string;
  /** A mark or an icon over the heading. */
  top?: ComponentChildren;
  /** Stays in sight below the content. */
  footer?: ComponentChildren;
  centered?: true;
  /** Makes the screen a form. */
  onSubmit?: (form: HTMLFormElement) => void;
  children?: ComponentChildren;
};

/** One screen. A field with `data-first` gets the focus; it should not be more than one. */
export const Screen = ({ title, lead, top, footer: foot, centered, onSubmit, children }: Props) => {
  const screen = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // Before anybody can type: a focus that came later would take the letters to another field.
  useLayoutEffect(() => {
    const first = screen.current?.querySelector<HTMLElement>('[data-first]');
    (first ?? heading.current)?.focus({ preventScroll: true });
  }, [title]);

  const content = (
    <>
      <div class={centered ? 'body centred' : 'body'}>
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
      {foot && <footer class="foot">{foot}</footer>}
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
