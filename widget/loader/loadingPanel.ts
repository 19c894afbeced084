// What the user sees in the dialog as long as the page is not there: a card of the page's own size and place that
// says so, with a way out, and with another try where the page does not come. Every element is styled by itself, by
// script and from the browser's own style on, so that neither the host's styles nor its content policy matter.
import type { LoaderTexts } from './loaderTexts.ts';

export type LoadingPanel = {
  /** Says that the page is being loaded, or that it did not come. */
  show(failed: boolean): void;
  /** The page has come. What is behind it stays a moment longer, so that nothing flickers. */
  hide(): void;
};

type PanelOptions = { texts: LoaderTexts; colorScheme: string };
type PanelHandlers = { cancel: () => void; retry: () => void };

// As large as the page's card, and on a narrow window, like that, as large as the window.
const cardStyle =
  'all:initial;position:absolute;inset:0;margin:auto;width:min(25.5em,100%);' +
  'height:min(100%,max(min(43em,100% - 2em),(30em - 100vw)*99));' +
  'border-radius:clamp(0px,(100vw - 30em)*99,20px);display:grid;gap:1em;place-content:center;' +
  'background:light-dark(#fff,#171b21);color:light-dark(#16202c,#eef1f5);font:1em system-ui;' +
  'transition:visibility .3s;color-scheme:';
const textStyle = 'all:revert;margin:0 1em;text-align:center;outline:0';
const buttonStyle =
  'all:revert;margin:0 1em;padding:1em;border:1px solid;border-radius:12px;background:none;color:inherit;font:inherit';

/** Adds it to the dialog. */
export const addLoadingPanel = (
  dialog: Element,
  { texts, colorScheme }: PanelOptions,
  on: PanelHandlers,
): LoadingPanel => {
  const [lang, , loading, sorry, again, close] = texts;
  const add = (parent: Element, tag: string, style: string, text = ''): HTMLElement => {
    const element = document.createElement(tag);
    element.style.cssText = style;
    element.textContent = text;
    parent.append(element);
    return element;
  };
  const card = add(dialog, 'div', cardStyle + colorScheme);
  const said = add(card, 'p', textStyle);
  const retry = add(card, 'button', buttonStyle, again);
  add(card, 'button', buttonStyle, close).onclick = on.cancel;
  retry.onclick = on.retry;
  card.lang = lang;
  said.tabIndex = -1;
  return {
    show: (failed) => {
      said.role = failed ? 'alert' : 'status';
      said.textContent = failed ? sorry : loading;
      retry.style.display = failed ? '' : 'none';
      card.style.visibility = 'visible';
      card.inert = false;
      // The first words are read out because they have the focus, the later ones because they are an alert.
      if (!failed) said.focus();
    },
    hide: () => {
      card.style.visibility = 'hidden';
      card.inert = true;
    },
  };
};
