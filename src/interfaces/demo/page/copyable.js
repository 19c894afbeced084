// A named text with a button that copies it.
import { announce, element } from './elements.js';

export const copyable = (name, description, text) => {
  const code = element('code', {}, text);
  const copy = element(
    'button',
    { class: 'ghost copy', type: 'button', 'data-focus': text, click: () => copyText(text, code, copy) },
    'Copy',
    element('span', { class: 'visually-hidden' }, ` ${name}`),
  );
  return element(
    'figure',
    { class: 'copyable' },
    element('figcaption', {}, element('span', {}, element('b', {}, name), ` ${description}`), copy),
    element('pre', {}, code),
  );
};

// Browsers allow the clipboard only on https and localhost; elsewhere the text is selected instead.
const copyText = async (text, code, button) => {
  try {
    await navigator.clipboard.writeText(text);
    button.firstChild.data = 'Copied';
    announce('Copied');
    setTimeout(() => {
      button.firstChild.data = 'Copy';
    }, 2000);
  } catch {
    getSelection().selectAllChildren(code);
    announce('Selected; copy it with your keyboard');
  }
};
