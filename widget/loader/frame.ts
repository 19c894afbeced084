// The one element that the host page gets: a modal <dialog> over the whole window with the page's frame in it.
// The dialog brings what is hard to do by hand: the rest of the host page is inert while it is open, no z-index
// can cover it, and the focus goes back to where it came from. The frame loads at once and shows nothing until it
// is opened; until its page is there, the dialog has a panel. Styles are set by script, because a host's content
// policy allows that and forbids inline ones.
import { addLoadingPanel } from './loadingPanel.ts';
import type { LoaderTexts } from './loaderTexts.ts';

export type Frame = {
  /** The page's window; null once removed. */
  window(): Window | null;
  setTitle(title: string): void;
  /** Shows the frame, or the panel, which then has the focus. */
  show(): void;
  /** Loads the page, from the beginning. */
  load(source: string): void;
  /** The page is not there: the panel says that it is being loaded, or that it did not come. */
  showPanel(failed: boolean): void;
  /** The page is there and takes the panel's place. Moves the focus into it. */
  showPage(): void;
  hide(): void;
  remove(): void;
};

type FrameHandlers = { load: () => void; cancel: () => void; retry: () => void };

const dialogStyle =
  'all:initial!important;position:fixed!important;inset:0!important;background:rgb(12 18 28/.55)!important;';
// The same colour scheme at both ends: where they differ, browsers paint an opaque ground behind the frame.
const frameStyle = 'all:initial;position:absolute;inset:0;width:100%;height:100%;color-scheme:';

type FrameOptions = { texts: LoaderTexts; colorScheme?: 'light' | 'dark' | 'auto' };

/** Adds the dialog, closed, with an empty frame. `on.cancel`: Escape was pressed in the host page. */
export const addFrame = ({ texts, colorScheme: mode = 'auto' }: FrameOptions, on: FrameHandlers): Frame => {
  const colorScheme = mode === 'auto' ? 'light dark' : mode;
  const dialog = document.createElement('dialog');
  const iframe = document.createElement('iframe');
  const root = document.documentElement;
  let rootStyle: [overflow: string, gutter: string] | undefined;

  const display = (value: 'block' | 'none') => {
    dialog.style.cssText = `${dialogStyle}display:${value}!important`;
  };
  const setTitle = (title: string) => {
    iframe.title = title;
    dialog.ariaLabel = title;
  };

  iframe.style.cssText = frameStyle + colorScheme;
  iframe.onload = on.load;
  dialog.oncancel = (event) => {
    event.preventDefault();
    on.cancel();
  };
  setTitle(texts[1]);
  display('none');
  const panel = addLoadingPanel(dialog, { texts, colorScheme }, on);
  document.body.append(dialog);

  return {
    window: () => iframe.contentWindow,
    setTitle,
    show: () => {
      rootStyle = [root.style.overflow, root.style.scrollbarGutter];
      // The host page must neither scroll behind the dialog nor jump sideways when its scroll bar goes.
      if (innerWidth > root.clientWidth) root.style.scrollbarGutter = 'stable';
      root.style.overflow = 'hidden';
      display('block');
      dialog.showModal();
      if (iframe.style.visibility === 'hidden') panel.show(false);
    },
    load: (source) => {
      iframe.src = source;
      // Where it was there before, this begins anew, and leaves nothing in the history.
      dialog.append(iframe);
    },
    showPanel: (failed) => {
      iframe.style.visibility = 'hidden';
      panel.show(failed);
    },
    showPage: () => {
      iframe.style.visibility = 'visible';
      panel.hide();
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
