// The only element in the host page: a modal <dialog> over the whole window that contains the page's frame. The
// browser makes the rest of the host page inert while it is open, keeps it above every z-index and returns the focus
// when it closes. The frame loads at once and is hidden until it is opened. Until its page is ready, the dialog shows
// a loading panel. Styles are set by script: a strict content security policy allows that and forbids inline styles.
import type { LoaderTexts } from './loaderTexts.ts';

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

export type LoadingPanel = {
  /** Shows that the page is loading or that it failed to load. */
  show(failed: boolean): void;
  /** Hides the panel, with a short transition against flicker. */
  hide(): void;
};

type PanelOptions = { texts: LoaderTexts; colorScheme: string };
type PanelHandlers = { cancel: () => void; retry: () => void };

// The size of the page's card: on a narrow window, the whole window.
const cardStyle =
  'all:initial;position:absolute;inset:0;margin:auto;width:min(25.5em,100%);' +
  'height:min(100%,max(min(43em,100% - 2em),(30em - 100vw)*99));' +
  'border-radius:clamp(0px,(100vw - 30em)*99,20px);display:grid;gap:1em;place-content:center;' +
  'background:light-dark(#fff,#171b21);color:light-dark(#16202c,#eef1f5);font:1em system-ui;' +
  'transition:visibility .3s;color-scheme:';
const textStyle = 'all:revert;margin:0 1em;text-align:center;outline:0';
const buttonStyle =
  'all:revert;margin:0 1em;padding:1em;border:1px solid;border-radius:12px;background:none;color:inherit;font:inherit';

/**
 * Adds the panel to the dialog: a card of the page's size and position with a message, a close button and, if the page
 * failed to load, a retry button. Each element has its complete style, set by script and starting from the browser's
 * defaults, so that the host's styles and content security policy do not affect it.
 */
export const addLoadingPanel = (
  dialog: Element,
  { texts, colorScheme }: PanelOptions,
  on: PanelHandlers,
): LoadingPanel => {
  const [lang, , loading, failedText, again, close] = texts;
  const add = (parent: Element, tag: string, style: string, text = ''): HTMLElement => {
    const element = document.createElement(tag);
    element.style.cssText = style;
    element.textContent = text;
    parent.append(element);
    return element;
  };
  const card = add(dialog, 'div', cardStyle + colorScheme);
  const message = add(card, 'p', textStyle);
  const retry = add(card, 'button', buttonStyle, again);
  add(card, 'button', buttonStyle, close).onclick = on.cancel;
  retry.onclick = on.retry;
  card.lang = lang;
  message.tabIndex = -1;
  return {
    show: (failed) => {
      message.role = failed ? 'alert' : 'status';
      message.textContent = failed ? failedText : loading;
      retry.style.display = failed ? '' : 'none';
      card.style.visibility = 'visible';
      card.inert = false;
      // Screen readers announce the loading text because it has the focus, and the failure because it is an alert.
      if (!failed) message.focus();
    },
    hide: () => {
      card.style.visibility = 'hidden';
      card.inert = true;
    },
  };
};
