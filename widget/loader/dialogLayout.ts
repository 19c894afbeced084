// Positions the open dialog, and locks scrolling of the host page behind it.

export type DialogLayout = { open(): void; close(): void; remove(): void };

const dialogStyle =
  'all:initial!important;position:fixed!important;inset:0!important;background:rgb(12 18 28/.55)!important;';

/** Keeps the dialog's layout up to date until `remove`. It is initially closed. */
export const keepLayout = (dialog: HTMLDialogElement): DialogLayout => {
  const root = document.documentElement;
  const viewport = visualViewport!;
  let rootStyle: [overflow: string, gutter: string] | undefined;

  // An open keyboard covers the lower part of the window. The dialog fills the rest, unless the user has zoomed in.
  const layOut = () => {
    const { scale, height, offsetTop } = viewport;
    const isCovered = rootStyle && scale === 1 && height < innerHeight - 1;
    dialog.style.cssText =
      `${dialogStyle}display:${rootStyle ? 'block' : 'none'}!important` +
      (isCovered ? `;inset:${offsetTop}px 0 auto!important;height:${height}px!important` : '');
  };
  layOut();
  viewport.addEventListener('resize', layOut);
  viewport.addEventListener('scroll', layOut);
  return {
    open: () => {
      rootStyle = [root.style.overflow, root.style.scrollbarGutter];
      // The host page must not move when its scroll bar disappears.
      if (innerWidth > root.clientWidth) root.style.scrollbarGutter = 'stable';
      root.style.overflow = 'hidden';
      layOut();
    },
    close: () => {
      if (rootStyle) [root.style.overflow, root.style.scrollbarGutter] = rootStyle;
      rootStyle = undefined;
      layOut();
    },
    remove: () => {
      viewport.removeEventListener('resize', layOut);
      viewport.removeEventListener('scroll', layOut);
    },
  };
};
