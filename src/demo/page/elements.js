// Building the page from nodes and text. Nothing is ever parsed as HTML, so no bank can write into the page.

/**
 * An element with attributes and children: `element('p', { class: 'hint' }, 'Text')`. A function is an event
 * listener under its event's name; null, false and undefined leave an attribute or a child out.
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

/** Tells people who listen what others see. */
export const say = (text) => {
  byId('said').textContent = text;
};

/** A failure, with what to do about it. */
export const failure = (error, again) =>
  element(
    'div',
    { class: 'failure', role: 'alert' },
    element('strong', {}, `${error.title}.`.replace(/\.\.$/, '.')),
    error.detail ? ` ${error.detail}` : null,
    error.requestId ? element('small', {}, `Request ${error.requestId}`) : null,
    again ? element('button', { class: 'quiet', type: 'button', click: again }, 'Try again') : null,
  );

/** Grey lines in the place of what is being read. */
export const loading = (lines, label) =>
  element(
    'div',
    { class: 'loading', role: 'status' },
    element('span', { class: 'unseen' }, label),
    Array.from({ length: lines }, () => element('span', { class: 'line', 'aria-hidden': 'true' })),
  );
