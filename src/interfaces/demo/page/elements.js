// Builds the page from nodes and text. Nothing is parsed as HTML, so an institution's texts cannot inject markup.

/**
 * An element with attributes and children: `element('p', { class: 'hint' }, 'Text')`. A function is a
 * listener of the event with the attribute's name; null, false and undefined omit an attribute or a child.
 */
export const element = (name, attributes = {}, ...children) => {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(key, value);
    else if (value !== null && value !== undefined && value !== false)
      node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
};

export const byId = (id) => document.getElementById(id);

/** Announces a change to screen readers. */
export const announce = (text) => {
  byId('announcer').textContent = text;
};

/** An error message, optionally with a button that retries, or reloads a page whose session has expired. */
export const errorMessage = (error, retry) => {
  const isExpired = error.status === 410;
  const click = isExpired ? () => location.reload() : retry;
  return element(
    'div',
    { class: 'error', role: 'alert' },
    element('strong', {}, `${error.title}.`.replace(/\.\.$/, '.')),
    error.detail ? ` ${error.detail}` : null,
    error.requestId ? element('small', {}, `Request ${error.requestId}`) : null,
    click
      ? element('button', { class: 'ghost', type: 'button', click }, isExpired ? 'Reload' : 'Try again')
      : null,
  );
};

/** Grey lines as a placeholder while data is loading. */
export const skeleton = (lines, label) =>
  element(
    'div',
    { class: 'skeleton', role: 'status' },
    element('span', { class: 'visually-hidden' }, label),
    Array.from({ length: lines }, () => element('span', { class: 'line', 'aria-hidden': 'true' })),
  );
