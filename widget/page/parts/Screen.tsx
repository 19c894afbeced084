// What all screens have in common: a heading, room for the content that scrolls, and the actions below it. A new
// screen takes the focus to its first field, or to its heading where there is none to type in.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { announce } from '../announce.ts';

type Props = {
  title: string;
  lead?: string;
  /** A mark or an icon over the heading. */
  top?: ComponentChildren;
  /** Stays in sight below the content. */
  foot?: ComponentChildren;
  centred?: true;
  /** Makes the screen a form. */
  onSubmit?: (form: HTMLFormElement) => void;
  children?: ComponentChildren;
};

/** One screen. A field with `data-first` gets the focus; it should not be more than one. */
export const Screen = ({ title, lead, top, foot, centred, onSubmit, children }: Props) => {
  const screen = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const first = screen.current?.querySelector<HTMLElement>('[data-first]');
    (first ?? heading.current)?.focus({ preventScroll: true });
    // The heading is read out by itself where it has the focus.
    if (first) announce(title);
  }, [title]);

  const content = (
    <>
      <div class={centred ? 'body centred' : 'body'}>
        {top}
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {lead && <p class="lead">{lead}</p>}
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
