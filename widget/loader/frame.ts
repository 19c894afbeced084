// The one element that the host page gets: a modal <dialog> over the whole window with the page's frame in it.
// The dialog brings what is hard to do by hand: the rest of the host page is inert while it is open, no z-index
// can cover it, and the focus goes back to where it came from. The frame loads at once and shows nothing until it
// is opened; until its page is there, the dialog has a panel. Styles are set by script, because a host's content
// policy allows that and forbids inline ones.
import { addPanel } from './panel.ts';
import type { Words } from './words.ts';

export type Frame = {
  /** The page's window; null once removed. */
  window(): Window | null;
  name(title: string): void;
  /** Shows the frame, or the panel, which then has the focus. */
  show(): void;
  /** Loads the page, from the beginning. */
  load(source: string): void;
  /** The page is not there: the panel says that it is being loaded, or that it did not come. */
  tell(failed: boolean): void;
  /** The page is there and takes the panel's place. Moves the focus into it. */
  enter(): void;
  hide(): void;
  remove(): void;
};

type FrameEvents = { load: () => void; cancel: () => void; retry: () => void };

const dialogStyle =
  'all:initial!important;position:fixed!important;inset:0!important;background:rgb(12 18 28/.55)!important;';
// The same colour scheme at both ends: where they differ, browsers paint an opaque ground behind the frame.
const frameStyle = 'all:initial;position:absolute;inset:0;width:100%;height:100%;color-scheme:';

type Look = { words: Words; scheme?: 'light' | 'dark' | 'auto' };

/** Adds the dialog, closed, with an empty frame. `on.cancel`: Escape was pressed in the host page. */
export const addFrame = ({ words, scheme: mode = 'auto' }: Look, on: FrameEvents): Frame => {
  const scheme = mode === 'auto' ? 'light dark' : mode;
  const dialog = document.createElement('dialog');
  const iframe = document.createElement('iframe');
  const root = document.documentElement;
  let rootStyle: [overflow: string, gutter: string] | undefined;

  const display = (value: 'block' | 'none') => {
    dialog.style.cssText = `${dialogStyle}display:${value}!important`;
  };
  const name = (title: string) => {
    iframe.title = title;
    dialog.ariaLabel = title;
  };

  iframe.style.cssText = frameStyle + scheme;
  iframe.onload = on.load;
  dialog.oncancel = (event) => {
    event.preventDefault();
    on.cancel();
  };
  name(words[1]);
  display('none');
  const panel = addPanel(dialog, { words, scheme }, on);
  document.body.append(dialog);

  return {
    window: () => iframe.contentWindow,
    name,
    show: () => {
      rootStyle = [root.style.overflow, root.style.scrollbarGutter];
      // The host page must neither scroll behind the dialog nor jump sideways when its scroll bar goes.
      if (innerWidth > root.clientWidth) root.style.scrollbarGutter = 'stable';
      root.style.overflow = 'hidden';
      display('block');
      dialog.showModal();
      if (iframe.style.visibility === 'hidden') panel.say(false);
    },
    load: (source) => {
      iframe.src = source;
      // Where it was there before, this begins anew, and leaves nothing in the history.
      dialog.append(iframe);
    },
    tell: (failed) => {
      iframe.style.visibility = 'hidden';
      panel.say(failed);
    },
    enter: () => {
      iframe.style.visibility = 'visible';
      panel.leave();
      iframe.focus();
    },
    hide: () => {
      if (!rootStyle) return;
      [root.style.overflow, root.style.scrollbarGutter] = rootStyle;
      rootStyle = undefined;
      dialog.close();
      display('none');
    },
    remove: () => dialog.remove(),
  };
};
