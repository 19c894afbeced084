// One account: its balances, and its transactions a page at a time.
import { readTransactions } from './backend.js';
import { byId, element, failure, loading, say } from './elements.js';
import { count, day, money } from './words.js';

// What was asked for last wins: an answer for an account that is no longer shown is dropped.
let shown;

/** Shows an account and reads its first page; resolves to the first transaction's id, if there is one. */
export const showAccount = async (account) => {
  const view = {
    account,
    count: 0,
    cursor: undefined,
    rows: element('tbody'),
    foot: element('div', { class: 'foot' }),
  };
  shown = view;
  const { current, available, limit } = account.balance;
  const figures = [
    ['Current', current],
    ['Available', available],
    ['Limit', limit],
  ].filter(([, amount]) => amount !== undefined);
  byId('account').replaceChildren(
    element(
      'div',
      { class: 'account-head' },
      element(
        'div',
        {},
        element('h2', { id: 'account-title', tabindex: '-1' }, account.name),
        element('p', { class: 'muted' }, `${account.type} •• ${account.lastFour} · ${account.currency}`),
      ),
      element(
        'dl',
        { class: 'figures' },
        figures.map(([name, amount]) =>
          element('div', {}, element('dt', {}, name), element('dd', {}, money(amount, account.currency))),
        ),
      ),
    ),
    element(
      'table',
      { class: 'transactions' },
      element('caption', { class: 'unseen' }, `Transactions of ${account.name}`),
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          element('th', { scope: 'col' }, 'Date'),
          element('th', { scope: 'col' }, 'Description'),
          element('th', { scope: 'col', class: 'amount' }, 'Amount'),
        ),
      ),
      view.rows,
    ),
    view.foot,
  );
  byId('account').hidden = false;
  const [first] = (await readMore(view)) ?? [];
  return first?.id;
};

/** Takes the account away. */
export const hideAccount = () => {
  shown = undefined;
  byId('account').hidden = true;
};

const readMore = async (view) => {
  view.foot.replaceChildren(loading(view.count ? 2 : 6, 'Reading transactions'));
  try {
    const { transactions, pagination } = await readTransactions(view.account, view.cursor);
    if (shown !== view) return;
    view.rows.append(...transactions.map((entry) => row(entry, view.account.currency)));
    view.count += transactions.length;
    view.cursor = pagination.nextCursor;
    view.foot.replaceChildren(...footOf(view));
    say(`${count(view.count)} transactions shown`);
    return transactions;
  } catch (error) {
    if (shown === view) view.foot.replaceChildren(failure(error, () => readMore(view)));
  }
};

const footOf = (view) => {
  if (view.count === 0) {
    return [element('p', { class: 'empty' }, 'The bank shows no transactions for this account.')];
  }
  const shownSoFar = `${count(view.count)} transaction${view.count === 1 ? '' : 's'}`;
  if (!view.cursor) return [element('p', { class: 'muted' }, `${shownSoFar}. That is all of them.`)];
  return [
    element('p', { class: 'muted' }, `${shownSoFar} so far`),
    element('button', { class: 'quiet', type: 'button', click: () => goOn(view) }, 'Load more'),
  ];
};

// The button that was pressed goes away while the page is read; the focus goes to the first new entry.
const goOn = async (view) => {
  const before = view.count;
  await readMore(view);
  if (shown === view) view.rows.children[before]?.focus({ preventScroll: true });
};

const row = ({ date, description, reference, amount, status }, currency) =>
  element(
    'tr',
    { class: status, tabindex: '-1' },
    element('td', { class: 'date' }, element('time', { datetime: date }, day(date))),
    element(
      'td',
      {},
      element('span', { class: 'description' }, description || 'No description'),
      status === 'posted' ? null : element('span', { class: 'status' }, status),
      reference ? element('small', {}, reference) : null,
    ),
    element(
      'td',
      { class: amount.startsWith('-') ? 'amount' : 'amount in' },
      money(amount, currency, { sign: true }),
    ),
  );
