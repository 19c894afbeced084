// The live feed: the requests that the backend sends, and the webhooks that it receives.
import { readFeed } from './backend.js';
import { byId, element } from './elements.js';
import { formatClock } from './format.js';

const everyMs = 1500;
const shownMax = 40;

/** Reads the feed while the page is visible, and calls `onWebhook` with each new webhook. */
export const startFeed = async (onWebhook) => {
  const seen = new Set();
  let isFirst = true;
  let shown;
  for (;;) {
    if (document.visibilityState === 'visible') {
      const feed = await readFeed().catch((error) => ({ error }));
      const text = JSON.stringify(feed);
      if (text !== shown) byId('feed').replaceChildren(...draw(feed));
      shown = text;
      const isNew = ({ id }) => !seen.has(id);
      const news = (feed.webhooks ?? []).filter(isNew);
      for (const { id } of news) seen.add(id);
      if (!isFirst) for (const webhook of news) await onWebhook(webhook);
      isFirst = false;
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
};

const draw = ({ error, requests, webhooks }) => {
  if (error) return [element('p', { class: 'empty' }, `${error.title}. Retrying.`)];
  const entries = [
    ...requests.map(({ at, method, path, status }) => ({ at, kind: method, text: path, status })),
    ...webhooks.map(({ timestamp, type }) => ({ at: timestamp, kind: 'Webhook', text: type })),
  ];
  if (entries.length === 0) return [element('p', { class: 'empty' }, 'Connect a bank to see requests here.')];
  entries.sort((one, other) => (one.at < other.at ? 1 : -1));
  return [element('ol', { class: 'feed' }, entries.slice(0, shownMax).map(line))];
};

const line = ({ at, kind, text, status }) =>
  element(
    'li',
    { class: kind === 'Webhook' && 'webhook' },
    element('time', { datetime: at }, formatClock(at)),
    element('b', {}, kind),
    element('span', { class: 'path' }, text),
    element(
      'span',
      { class: status < 400 ? 'tag good' : status ? 'tag bad' : 'tag' },
      status ? String(status) : 'received',
    ),
  );
