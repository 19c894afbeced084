// The one element that the host page gets: a modal <dialog> over the whole window with the page's frame in it.
// The dialog brings what is hard to do by hand: the rest of the host page is inert while it is open, no z-index
// can cover it, and the focus goes back to where it came from. The frame loads at once and shows nothing until it
// is opened. Styles are set by script, because a host's content policy allows that and forbids inline ones.

export type Frame = {
  /** The page's window; null once removed. */
  window(): Window | null;
  name(title: string): void;
  /** Shows the frame. The focus stays in the host's dialog, so that Escape works however long the page takes. */
  show(): void;
  /** Moves the focus into the frame. */
  enter(): void;
  hide(): void;
  remove(): void;
};

type FrameEvents = { load: () => void; cancel: () => void };

const dialogStyle =
  'all:initial!important;position:fixed!important;inset:0!important;width:100%!important;height:100%!important;' +
  'background:rgb(12 18 28/.55)!important;overscroll-behavior:contain!important;';
// The same colour scheme at both ends: where they differ, browsers paint an opaque ground behind the frame.
const frameStyle = 'display:block;width:100%;height:100%;border:0;background:none;color-scheme:';

type Source = { source: string; scheme?: string };

/** Adds the dialog, closed, with a frame that loads `source`. `on.cancel`: Escape was pressed in the host page. */
export const addFrame = ({ source, scheme = 'light dark' }: Source, on: FrameEvents): Frame => {
  const dialog = document.createElement('dialog');
  const iframe = document.createElement('iframe');
  const root = document.documentElement;
  let rootStyle: [overflow: string, gutter: string] | undefined;

  const display = (value: 'block' | 'none') => {
    dialog.style.cssText = `${dialogStyle}display:${value}!important`;
  };
  const name = (title: string) => {
    iframe.title = title;
    dialog.setAttribute('aria-label', title);
  };

  iframe.style.cssText = frameStyle + scheme;
  iframe.addEventListener('load', on.load);
  iframe.src = source;
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    on.cancel();
  });
  dialog.tabIndex = -1;
  name('Connect your bank');
  display('none');
  dialog.append(iframe);
  document.body.append(dialog);

  return {
    window: () => iframe.contentWindow,
    name,
    show: () => {
      rootStyle = [root.style.overflow, root.style.scrollbarGutter];
      // The host page must neither scroll behind the dialog nor jump sideways when its scroll bar goes.
      if (window.innerWidth > root.clientWidth) root.style.scrollbarGutter = 'stable';
      root.style.overflow = 'hidden';
      display('block');
      dialog.showModal();
      dialog.focus();
    },
    enter: () => iframe.focus(),
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
