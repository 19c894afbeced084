// The only element in the host page: a modal <dialog> over the whole window that contains the page's frame. While it is open, the
// browser makes the rest of the host page inert and keeps the dialog above every z-index; when it closes, the browser restores
// focus. The frame loads at once, but stays hidden until it is opened. Until its page has content, the dialog shows a panel.
// Scripts set the styles, because a strict content security policy forbids inline styles.
import type { SkeletonShape } from '../skeleton.ts';
import { keepLayout } from './dialogLayout.ts';
import type { LoaderTexts } from './loaderTexts.ts';
import { addPanel } from './panel.ts';

export type Frame = {
  /** The page's window; null after `remove`. */
  window(): Window | null;
  setTitle(title: string): void;
  /** Opens the dialog with the panel, which gets focus. */
  show(): void;
  /** Loads the page from the start. */
  load(source: string): void;
  /**
   * Hides the page below the panel. The panel shows that the page is loading or, with `failure`, that it failed to load: with
   * this reason, or with the default text if the reason is empty.
   */
  showPanel(failure?: string): void;
  /** Replaces the panel with the page, which gets focus. */
  showPage(): void;
  hide(): void;
  remove(): void;
};

export type FrameHandlers = {
  load: () => void;
  /** The user closed the panel with its button or with Escape. */
  cancel: () => void;
  /** Escape was pressed in the host page while the page was shown. */
  leave: () => void;
  retry: () => void;
};

// The frame has the page's color scheme: if they differed, browsers would paint an opaque background behind the frame. While the
// panel is shown, the frame is transparent rather than invisible: browsers do not paint invisible frames, so the dialog would
// flash empty when the panel disappears.
const frameStyle = 'all:initial;position:absolute;inset:0;width:100%;height:100%;color-scheme:';

type FrameOptions = { texts: LoaderTexts; colorScheme?: 'light' | 'dark' | 'auto'; shape: SkeletonShape };

/** Adds the closed dialog with an empty frame to the host page. */
export const addFrame = (
  { texts, colorScheme: mode = 'auto', shape }: FrameOptions,
  on: FrameHandlers,
): Frame => {
  const colorScheme = mode === 'auto' ? 'light dark' : mode;
  const dialog = document.createElement('dialog');
  const iframe = document.createElement('iframe');
  let isPageShown = false;

  const setTitle = (title: string) => {
    iframe.title = title;
    dialog.ariaLabel = title;
  };
  const switchTo = (page: boolean) => {
    isPageShown = page;
    iframe.style.opacity = page ? '1' : '0';
    // The keyboard must not reach a hidden frame.
    iframe.tabIndex = page ? 0 : -1;
    iframe.ariaHidden = page ? null : 'true';
  };
  const showPanel = (failure?: string) => {
    switchTo(false);
    panel.show(failure);
  };

  iframe.style.cssText = frameStyle + colorScheme;
  iframe.onload = on.load;
  dialog.oncancel = (event) => {
    event.preventDefault();
    (isPageShown ? on.leave : on.cancel)();
  };
  setTitle(texts[1]);
  const layout = keepLayout(dialog);
  const panel = addPanel(dialog, { texts, colorScheme, shape }, on);
  document.body.append(dialog);

  return {
    window: () => iframe.contentWindow,
    setTitle,
    show: () => {
      layout.open();
      dialog.showModal();
      showPanel();
    },
    load: (source) => {
      iframe.src = source;
      // Prepending the frame again reloads it without adding an entry to the browser's history.
      dialog.prepend(iframe);
    },
    showPanel,
    showPage: () => {
      panel.hide();
      switchTo(true);
      iframe.focus();
    },
    hide: () => {
      panel.hide();
      dialog.close();
      layout.close();
    },
    remove: () => {
      layout.remove();
      dialog.remove();
    },
  };
};
