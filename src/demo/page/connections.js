// The connections of the session as cards, with their accounts as buttons. The page handles the clicks.
import { createSetupToken } from './backend.js';
import { command } from './commands.js';
import { element, errorMessage } from './elements.js';
import { describeAccount, formatAmount, formatDate, formatTime } from './format.js';

/** One card for each connection, newest first. `on` has selectAccount(account), reconnect(connection) and revoke(connection). */
export const connectionCards = (connections, selectedId, on) =>
  [...connections].reverse().map((connection) => card(connection, selectedId, on));

const card = (connection, selectedId, on) => {
  if (connection.problem) {
    return element(
      'article',
      { class: 'card connection' },
      errorMessage(connection.problem),
      element('code', {}, connection.id),
    );
  }
  const { institution, accounts } = connection;
  const state = states[connection.status] ?? states.active;
  return element(
    'article',
    { class: 'card connection', 'aria-label': institution.name },
    element(
      'header',
      {},
      element('img', { class: 'bank-logo', src: connection.logo, alt: '', width: 38, height: 38 }),
      element(
        'div',
        {},
        element('h3', {}, institution.name),
        element('p', { class: 'muted' }, state.describe(connection)),
      ),
      state.tag ? element('span', { class: 'tag' }, state.tag) : null,
    ),
    element(
      'ul',
      { class: 'accounts' },
      accounts.map((account) => element('li', {}, accountButton(account, account.id === selectedId, on))),
    ),
    connection.status === 'revoked' ? null : [menu(connection, on), setupToken(connection)],
  );
};

const states = {
  active: { describe: ({ refreshedAt }) => `Refreshed ${formatTime(refreshedAt)}` },
  needs_reconnect: {
    tag: 'Needs sign-in',
    describe: ({ refreshedAt }) => `Not refreshed since ${formatTime(refreshedAt)}`,
  },
  revoked: {
    tag: 'Revoked',
    describe: ({ revokedAt }) => `Readable until ${lastReadableDate(revokedAt)}`,
  },
};

// A revoked connection is deleted 30 days later.
const lastReadableDate = (revokedAt) =>
  formatDate(new Date(Date.parse(revokedAt) + 30 * 86_400_000).toISOString().slice(0, 10));

const menu = (connection, on) =>
  element(
    'footer',
    { class: 'menu' },
    element('button', { class: 'link', type: 'button', click: () => on.reconnect(connection) }, 'Reconnect'),
    element('button', { class: 'link', type: 'button', click: () => on.revoke(connection) }, 'Revoke'),
  );

// An app that speaks SimpleFIN, such as Actual Budget, reads these accounts with the token.
const setupToken = ({ id }) => {
  const box = element('div', { class: 'setup-token' });
  const create = async () => {
    try {
      const { setupToken: token } = await createSetupToken(id);
      const description = 'Paste it into an app that speaks SimpleFIN, within 30 minutes';
      box.replaceChildren(command('Setup token', description, token));
    } catch (error) {
      box.replaceChildren(errorMessage(error, create));
    }
    box.querySelector('button')?.focus();
  };
  const label = 'Share with another app';
  box.append(element('button', { class: 'link', type: 'button', click: create }, label));
  return box;
};

const accountButton = (account, selected, on) =>
  element(
    'button',
    {
      type: 'button',
      class: 'account-button',
      'aria-pressed': String(selected),
      'data-account': account.id,
      click: () => on.selectAccount(account),
    },
    element(
      'span',
      {},
      element('span', { class: 'name' }, account.name),
      element('small', {}, describeAccount(account)),
    ),
    element('span', { class: 'balance' }, formatAmount(account.balance.current, account.currency)),
  );
