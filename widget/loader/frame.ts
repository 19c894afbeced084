// The only element in the host page: a modal <dialog> over the whole window that contains the page's frame. The
// browser makes the rest of the host page inert while it is open, keeps it above every z-index and returns the focus
// when it closes. The frame loads at once and is hidden until it is opened. Until its page is ready, the dialog shows
// a loading panel. Styles are set by script: a strict content security policy allows that and forbids inline styles.

import type { LoaderTexts } from './loaderTexts.ts';
import { addLoadingPanel } from './loadingPanel.ts';

export type Frame = {
  /** The page's window; null once removed. */
  window(): Window | null;
  setTitle(title: string): void;
  /** Opens the dialog with the page, or with the panel, which takes the focus. */
  show(): void;
  /** Loads the page from the start. */
  load(source: string): void;
  /** Hides the page behind the panel, which shows that the page is loading or that it failed to load. */
  showPanel(failed: boolean): void;
  /** Replaces the panel with the page and moves the focus into it. */
  showPage(): void;
  hide(): void;
  remove(): void;
};

type FrameHandlers = {
  load: () => void;
  /** Escape was pressed in the host page, or the panel's close button. */
  cancel: () => void;
  retry: () => void;
};

const dialogStyle =
  'all:initial!important;position:fixed!important;inset:0!important;background:rgb(12 18 28/.55)!important;';
// The frame has the page's color scheme: if they differ, browsers paint an opaque background behind the frame.
const frameStyle = 'all:initial;position:absolute;inset:0;width:100%;height:100%;color-scheme:';

type FrameOptions = { texts: LoaderTexts; colorScheme?: 'light' | 'dark' | 'auto' };

/** Adds the closed dialog with an empty frame to the host page. */
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
      // The host page must not scroll behind the dialog, nor move when its scroll bar disappears.
      if (innerWidth > root.clientWidth) root.style.scrollbarGutter = 'stable';
      root.style.overflow = 'hidden';
      display('block');
      dialog.showModal();
      if (iframe.style.visibility === 'hidden') panel.show(false);
    },
    load: (source) => {
      iframe.src = source;
      // Appending it again reloads a frame without an entry in the browser's history.
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
