// One account: its balances, and its transactions in pages.
import { readTransactions } from './backend.js';
import { announce, byId, element, errorMessage, skeleton } from './elements.js';
import { describeAccount, formatAmount, formatCount, formatDate } from './format.js';

// A response for an account that is no longer selected is ignored.
let currentView;

/** Shows an account with its first page of transactions; resolves to the first transaction's id, if any. */
export const showAccount = async (account) => {
  const view = {
    account,
    count: 0,
    cursor: undefined,
    rows: element('tbody'),
    footer: element('div', { class: 'footer' }),
  };
  currentView = view;
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
        element('p', { class: 'muted' }, `${describeAccount(account)} · ${account.currency}`),
      ),
      element(
        'dl',
        { class: 'figures' },
        figures.map(([name, amount]) =>
          element(
            'div',
            {},
            element('dt', {}, name),
            element('dd', {}, formatAmount(amount, account.currency)),
          ),
        ),
      ),
    ),
    element(
      'table',
      { class: 'transactions' },
      element('caption', { class: 'visually-hidden' }, `Transactions of ${account.name}`),
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
    view.footer,
  );
  byId('account').hidden = false;
  const [first] = (await readPage(view)) ?? [];
  return first?.id;
};

export const hideAccount = () => {
  currentView = undefined;
  byId('account').hidden = true;
};

const readPage = async (view) => {
  view.footer.replaceChildren(skeleton(view.count ? 2 : 6, 'Reading transactions'));
  try {
    const { transactions, pagination } = await readTransactions(view.account, view.cursor);
    if (currentView !== view) return;
    view.rows.append(...transactions.map((transaction) => row(transaction, view.account.currency)));
    view.count += transactions.length;
    view.cursor = pagination.nextCursor;
    view.footer.replaceChildren(...renderFooter(view));
    announce(`${formatCount(view.count)} transactions shown`);
    return transactions;
  } catch (error) {
    if (currentView === view) view.footer.replaceChildren(errorMessage(error, () => readPage(view)));
  }
};

const renderFooter = (view) => {
  if (view.count === 0) {
    return [element('p', { class: 'empty' }, 'This account has no transactions.')];
  }
  const countText = `${formatCount(view.count)} transaction${view.count === 1 ? '' : 's'}`;
  if (!view.cursor) return [element('p', { class: 'muted' }, `${countText}. That is all of them.`)];
  return [
    element('p', { class: 'muted' }, `${countText} so far`),
    element('button', { class: 'ghost', type: 'button', click: () => loadMore(view) }, 'Load more'),
  ];
};

// The button is removed while the page loads; the focus then moves to the first new transaction.
const loadMore = async (view) => {
  const before = view.count;
  await readPage(view);
  if (currentView === view) view.rows.children[before]?.focus({ preventScroll: true });
};

const row = ({ date, description, reference, amount, status }, currency) =>
  element(
    'tr',
    { class: status, tabindex: '-1' },
    element('td', { class: 'date' }, element('time', { datetime: date }, formatDate(date))),
    element(
      'td',
      {},
      element('span', { class: 'description' }, description || 'No description'),
      status === 'posted' ? null : element('span', { class: 'status' }, status),
      reference ? element('small', {}, reference) : null,
    ),
    element(
      'td',
      { class: amount.startsWith('-') ? 'amount' : 'amount credit' },
      formatAmount(amount, currency, { sign: true }),
    ),
  );
