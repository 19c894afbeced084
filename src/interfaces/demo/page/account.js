// One account in three views: for its user, as it is stored, and for the backend. Without the token, the first view has only
// the stored rows.
import { readStored, readTransactions } from './backend.js';
import { announce, byId, element, errorMessage, skeleton } from './elements.js';
import { describeAccount, formatAmount, formatCount, formatDate } from './format.js';
import { exchangeView, storedTables } from './inside.js';

// A response for an account that is no longer selected is ignored.
let currentView;

/** Shows an account with its first page of transactions, or without its token. */
export const showAccount = async (baseUrl, account, isTokenTaken) => {
  // The previous content stays until the other form of the same account has arrived.
  if (currentView?.account.id !== account.id) {
    for (const id of ['account', 'stored', 'answer']) byId(id).replaceChildren(skeleton(8, 'Reading'));
  }
  currentView = { baseUrl, account, isTokenTaken, count: 0, cursor: undefined };
  await load(currentView);
};

const load = async (view) => {
  const { account, isTokenTaken, baseUrl } = view;
  const [stored, page] = await Promise.allSettled([
    readStored(account),
    readTransactions(account, isTokenTaken ? { token: 'none' } : {}),
  ]);
  if (currentView !== view) return;
  const shown = isTokenTaken ? stored : page;
  const draw = () => (isTokenTaken ? drawSealed(account, stored.value.tables) : drawOpen(view, page.value));
  const problem = () => [errorMessage(shown.reason, () => load(view))];
  byId('account').replaceChildren(...(shown.value ? draw() : problem()));
  byId('stored').replaceChildren(...(stored.value ? storedTables(stored.value.tables) : [noAnswer()]));
  byId('answer').replaceChildren(...(page.value ? exchangeView(baseUrl, page.value.exchange) : [noAnswer()]));
};

const noAnswer = () => element('p', { class: 'empty' }, 'No response');

export const hideAccount = () => {
  currentView = undefined;
};

const drawOpen = (view, page) => {
  const { account } = view;
  const { current, available, limit } = account.balance;
  const figures = [
    ['Current', current],
    ['Available', available],
    ['Limit', limit],
  ].filter(([, amount]) => amount !== undefined);
  view.rows = element('tbody');
  view.footer = element('div', { class: 'footer' });
  addPage(view, page);
  return [
    head(
      account.name,
      `${describeAccount(account)} · ${account.currency}`,
      figures.map(([name, amount]) => [name, formatAmount(amount, account.currency)]),
    ),
    table(account.name, view.rows),
    view.footer,
  ];
};

const drawSealed = (account, tables) => {
  const rowsOf = (name) => tables.find(({ table }) => table === name).rows;
  const blocks = rowsOf('transaction_blocks');
  const rows = rowsOf('transactions').map(({ date, block, position }) => {
    const { hex } = blocks.find((other) => other.block === block).sealed;
    const start = (position * sliceDigits) % (hex.length - sliceDigits);
    return row({
      date: new Date(date * 86_400_000).toISOString().slice(0, 10),
      description: element('code', { class: 'sealed' }, hex.slice(start, start + sliceDigits)),
      amount: element('code', { class: 'sealed' }, '••••'),
    });
  });
  announce('Without the token, the transactions are ciphertext');
  const [{ sealed }] = rowsOf('accounts');
  const text = element('code', { class: 'sealed' }, `${sealed.hex.slice(0, sliceDigits)}…`);
  return [
    head(account.id, 'Name, number, currency and balance are sealed', [['Sealed', text]]),
    table(account.id, element('tbody', {}, rows)),
    element(
      'div',
      { class: 'footer' },
      element('p', { class: 'muted' }, 'Restore the token to keep reading.'),
    ),
  ];
};

const sliceDigits = 20;

const head = (title, description, figures) =>
  element(
    'div',
    { class: 'account-head' },
    element(
      'div',
      {},
      element('h4', { id: 'account-title' }, title),
      element('p', { class: 'muted' }, description),
    ),
    element(
      'dl',
      { class: 'figures' },
      figures.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
    ),
  );

const table = (name, rows) =>
  element(
    'table',
    { class: 'transactions' },
    element('caption', { class: 'visually-hidden' }, `Transactions of ${name}`),
    element(
      'thead',
      { class: 'visually-hidden' },
      element(
        'tr',
        {},
        ['Date', 'Description', 'Amount'].map((text) => element('th', { scope: 'col' }, text)),
      ),
    ),
    rows,
  );

const addPage = (view, { transactions, pagination }) => {
  const { currency } = view.account;
  view.rows.append(
    ...transactions.map((transaction) =>
      row({
        ...transaction,
        description: transaction.description || 'No description',
        amount: formatAmount(transaction.amount, currency, { sign: true }),
        isCredit: !transaction.amount.startsWith('-'),
      }),
    ),
  );
  view.count += transactions.length;
  view.cursor = pagination.nextCursor;
  view.footer.replaceChildren(...renderFooter(view));
  announce(`${countText(view)} shown`);
};

const countText = ({ count }) => `${formatCount(count)} transaction${count === 1 ? '' : 's'}`;

const renderFooter = (view) => {
  if (view.count === 0) {
    return [element('p', { class: 'empty' }, 'This account has no transactions.')];
  }
  if (!view.cursor) return [element('p', { class: 'muted' }, `${countText(view)}. That is all of them.`)];
  return [
    element('p', { class: 'muted' }, `${countText(view)} so far`),
    element('button', { class: 'ghost', type: 'button', click: () => loadMore(view) }, 'Load more'),
  ];
};

// The button is removed while the page loads; the focus then moves to the first new transaction.
const loadMore = async (view) => {
  const before = view.count;
  view.footer.replaceChildren(skeleton(2, 'Reading transactions'));
  try {
    const page = await readTransactions(view.account, { cursor: view.cursor });
    if (currentView !== view) return;
    addPage(view, page);
    byId('answer').replaceChildren(...exchangeView(view.baseUrl, page.exchange));
    view.rows.children[before]?.focus({ preventScroll: true });
  } catch (error) {
    if (currentView === view) view.footer.replaceChildren(errorMessage(error, () => loadMore(view)));
  }
};

const row = ({ date, description, reference, amount, isCredit, status = 'posted' }) =>
  element(
    'tr',
    { class: status, tabindex: '-1' },
    element('td', { class: 'date' }, element('time', { datetime: date }, formatDate(date))),
    element(
      'td',
      {},
      element('span', { class: 'description' }, description),
      status === 'posted' ? null : element('span', { class: 'status' }, status),
      reference ? element('small', {}, reference) : null,
    ),
    element('td', { class: isCredit ? 'amount credit' : 'amount' }, amount),
  );
