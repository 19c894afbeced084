// The connections of the session as cards, with their accounts as buttons. The page handles the clicks.
import { createSetupToken } from './backend.js';
import { copyable } from './copyable.js';
import { byId, element, errorMessage } from './elements.js';
import { describeAccount, formatAmount, formatDate, formatTime } from './format.js';

/**
 * One card for each connection, newest first; without the token, only with its plaintext columns. `on` has
 * selectAccount(account), reconnect(connection) and revoke(connection).
 */
export const connectionCards = (connections, view, on) =>
  [...connections].reverse().map((connection) => card(connection, view, on));

const card = (connection, view, on) => {
  if (connection.problem) {
    return element(
      'article',
      { class: 'connection' },
      errorMessage(connection.problem),
      element('code', {}, connection.id),
    );
  }
  const { institution, accounts } = connection;
  const state = states[connection.status] ?? states.active;
  return element(
    'article',
    { class: 'connection', 'aria-label': institution.name },
    connection.status === 'needs_reconnect' ? banner(connection, on) : null,
    element(
      'header',
      {},
      element('img', { class: 'bank-logo', src: connection.logo, alt: '', width: 38, height: 38 }),
      element(
        'div',
        {},
        element('h4', {}, institution.name),
        element('p', { class: 'muted' }, state.describe(connection)),
      ),
      state.tag ? element('span', { class: 'tag' }, state.tag) : null,
    ),
    element(
      'ul',
      { class: 'accounts' },
      accounts.map((account) => element('li', {}, accountButton(account, view, on))),
    ),
    connection.status === 'revoked' ? null : menu(connection, on),
  );
};

const banner = (connection, on) =>
  element(
    'div',
    { class: 'banner' },
    element('p', {}, 'Your bank needs you to sign in again'),
    element(
      'button',
      { class: 'ghost', type: 'button', click: () => on.reconnect(connection) },
      'Sign in again',
    ),
  );

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

// A revoked connection is deleted after 30 days.
const lastReadableDate = (revokedAt) =>
  formatDate(new Date(Date.parse(revokedAt) + 30 * 86_400_000).toISOString().slice(0, 10));

const menu = (connection, on) => {
  const setupToken = element(
    'div',
    { class: 'setup-token', id: boxId(connection) },
    setupTokenView(connection),
  );
  const link = (label, click) =>
    element(
      'button',
      { class: 'link', type: 'button', 'data-focus': `${label} ${connection.id}`, click },
      label,
    );
  return [
    element(
      'footer',
      { class: 'menu' },
      link('Reconnect', () => on.reconnect(connection)),
      link('Revoke', () => on.revoke(connection)),
      link('Share with another app', () => createToken(connection)),
    ),
    setupToken,
  ];
};

// The content of each connection's box. Kept here, because a webhook may redraw the cards at any time.
const setupTokens = new Map();

const setupTokenView = ({ id }) => {
  const { setupToken, error } = setupTokens.get(id) ?? {};
  if (error) return [errorMessage(error, () => createToken({ id }))];
  const description = 'Paste it into a SimpleFIN app within 30 minutes';
  return setupToken ? [copyable('Setup token', description, setupToken)] : [];
};

const boxId = ({ id }) => `setup-token-${id}`;

// An app that speaks SimpleFIN, such as Actual Budget, reads these accounts with the token.
const createToken = async (connection) => {
  const created = await createSetupToken(connection.id).catch((error) => ({ error }));
  setupTokens.set(connection.id, created);
  const box = byId(boxId(connection));
  box?.replaceChildren(...setupTokenView(connection));
  box?.querySelector('button')?.focus();
};

const formatBalance = ({ balance: { current }, currency }) =>
  current === undefined ? '' : formatAmount(current, currency);

const accountButton = (account, { selectedId, isTokenTaken }, on) =>
  element(
    'button',
    {
      type: 'button',
      class: 'account-button',
      'aria-pressed': String(account.id === selectedId),
      'data-focus': account.id,
      click: () => on.selectAccount(account),
    },
    element(
      'span',
      {},
      element('span', { class: 'name' }, isTokenTaken ? account.id : account.name),
      element('small', {}, isTokenTaken ? 'Sealed' : describeAccount(account)),
    ),
    element('span', { class: 'balance' }, isTokenTaken ? '••••' : formatBalance(account)),
  );
