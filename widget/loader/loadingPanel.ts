// The panel that the dialog shows until the page is ready: a card of the page's size and position with a message, a
// close button and, if the page failed to load, a retry button. Each element has its complete style, set by script
// and starting from the browser's defaults, so that the host's styles and content security policy do not affect it.
import type { LoaderTexts } from './loaderTexts.ts';

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

/** Adds the panel to the dialog. */
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
