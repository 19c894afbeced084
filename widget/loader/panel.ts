// The panel that the dialog shows until the page is loaded: the shape of the first screen, with a spinner if loading takes long,
// or a message that loading failed. It is a shadow tree with a style sheet created by a script, so the host's styles and content
// security policy do not affect it.
import { directionOf } from '../language.ts';
import { bonesOf, type SkeletonShape } from '../skeleton.ts';
import type { LoaderTexts } from './loaderTexts.ts';
import css from './panel.css?inline';

export type Panel = {
  /** Shows that the page is loading or, with `failure`, the reason why loading failed; the default text if the reason is empty. */
  show(failure?: string): void;
  hide(): void;
};

type PanelOptions = { texts: LoaderTexts; colorScheme: string; shape: SkeletonShape };
type PanelHandlers = { cancel: () => void; retry: () => void };

/** Adds the panel to the dialog, above the frame. */
export const addPanel = (
  dialog: Element,
  { texts, colorScheme, shape }: PanelOptions,
  on: PanelHandlers,
): Panel => {
  const [lang, loading, failedText, again, close] = texts;
  const add = (parent: Node, tag: string, className: string, text = ''): HTMLElement => {
    const element = document.createElement(tag);
    element.className = className;
    element.textContent = text;
    parent.appendChild(element);
    return element;
  };
  const host = add(dialog, 'div', '');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];
  const card = add(root, 'div', '');
  const status = add(card, 'p', 'status');
  const skeleton = add(card, 'div', 'skeleton');
  const bones = add(skeleton, 'div', 'bones');
  for (const [start, top, width, height] of bonesOf(shape))
    add(bones, 'span', 'bone').style.cssText =
      `inset-inline-start:${start}px;top:${top}px;width:min(${width}px,100% - ${start + 24}px);height:${height}px`;
  add(skeleton, 'span', 'bone button');
  add(skeleton, 'span', 'spinner');
  const failed = add(card, 'div', 'failure');
  const message = add(failed, 'p', '');
  add(failed, 'button', '', again).onclick = on.retry;
  const closeButton = add(card, 'button', 'close', '✕');
  closeButton.ariaLabel = close;
  closeButton.onclick = on.cancel;
  card.lang = lang;
  card.dir = directionOf(lang);
  message.role = 'alert';
  status.role = 'status';
  status.tabIndex = -1;
  const display = (value: 'block' | 'none') => {
    host.style.cssText = `all:initial!important;color-scheme:${colorScheme}!important;display:${value}!important`;
  };
  display('none');
  return {
    show: (failure) => {
      const isLoading = failure === undefined;
      card.className = `card ${isLoading ? `loading ${shape}` : 'failed'}`;
      status.textContent = isLoading ? loading : '';
      // Screen readers announce the loading text because it has focus, and the failure because it is an alert.
      message.textContent = isLoading ? '' : failure || failedText;
      display('block');
      if (isLoading) status.focus();
    },
    hide: () => display('none'),
  };
};
