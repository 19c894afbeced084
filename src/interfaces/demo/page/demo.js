// The page: connects a bank in the widget, sends the result to the backend, and shows the connections.
import { hideAccount, showAccount } from './account.js';
import { makeBankAskAgain, readConnections, readSetup, revokeConnection, saveConnection } from './backend.js';
import { connectionCards } from './connections.js';
import { copyable } from './copyable.js';
import { announce, byId, element, errorMessage, skeleton } from './elements.js';
import { startFeed } from './feed.js';
import { usernames } from './usernames.js';

// Northwind's colour, as in demo.css.
const theme = { accentColor: '#2456d6' };

let setup;
let connections = [];
let selected;
let isTokenTaken = false;

const start = async () => {
  byId('notice').replaceChildren();
  try {
    setup = await readSetup();
    // A page at another address has no session, and may not even reach the widget.
    if (location.origin !== setup.baseUrl) return byId('notice').replaceChildren(wrongAddressNotice());
    await loadWidget();
  } catch (error) {
    byId('notice').replaceChildren(errorMessage(error, start));
    return;
  }
  const { applicationId, externalUserId, examples } = setup;
  byId('examples').replaceChildren(...examples.map(exampleDetails));
  const widget = ServiceConnect.init({ applicationId, externalUserId, theme, onSuccess: onConnected });
  byId('connect').addEventListener('click', () => widget.open());
  byId('connect').disabled = false;
  await reload();
  startFeed(onWebhook);
};

// Details with the same name: opening one closes the others.
const exampleDetails = ({ name, file, text }) =>
  element('details', { name: 'examples' }, element('summary', {}, name), copyable(file, '', text));

const loadWidget = () =>
  new Promise((resolve, reject) => {
    const onError = () =>
      reject({
        title: 'The widget could not be loaded',
        detail: `Check whether ${setup.baseUrl}/connect.js loads.`,
      });
    document.head.append(
      element('script', { src: `${setup.baseUrl}/connect.js`, load: resolve, error: onError }),
    );
  });

const wrongAddressNotice = () =>
  element(
    'p',
    { class: 'error', role: 'alert' },
    'This page must be opened at ',
    element('a', { href: `${setup.baseUrl}/demo` }, `${setup.baseUrl}/demo`),
    '.',
  );

const onConnected = async ({ connectionId, scopedToken, institution }) => {
  byId('notice').replaceChildren();
  const save = async () => {
    try {
      await saveConnection({ connectionId, scopedToken });
    } catch (error) {
      byId('notice').replaceChildren(errorMessage(error, save));
      return;
    }
    announce(`${institution.name} is connected`);
    await reload(connectionId);
  };
  await save();
};

/** Reads the API as every backend does: a webhook has only ids. */
const onWebhook = ({ type }) => {
  if (type === 'transactions.updated' || type === 'connection.restored') return reload();
  return readInTurn().then(
    () => {
      render(selected);
      if (type === 'connection.needs_reconnect') announce('Your bank needs you to sign in again');
    },
    // Ignored: the next webhook triggers another read.
    () => {},
  );
};

let lastReading;
/** Reads the connections, one request at a time, so that no older response arrives after a newer one. */
const readInTurn = async () => {
  lastReading = Promise.allSettled([lastReading]).then(readConnections);
  ({ connections } = await lastReading);
};

/** Reads the connections and shows an account: the first of the connection `newestId`, else the selected one. */
const reload = async (newestId) => {
  const body = byId('connections-body');
  if (connections.length === 0 && newestId) byId('views').hidden = false;
  if (connections.length === 0) body.replaceChildren(skeleton(3, 'Reading your connections'));
  try {
    await readInTurn();
  } catch (error) {
    byId('views').hidden = false;
    body.replaceChildren(errorMessage(error, () => reload(newestId)));
    return;
  }
  byId('views').hidden = connections.length === 0;
  byId('live').hidden = connections.length === 0;
  byId('main').classList.toggle('connected', connections.length > 0);
  if (connections.length > 0) byId('users').open = false;
  const accounts = connections.flatMap((connection) => connection.accounts ?? []);
  const next =
    accounts.find(({ connectionId }) => connectionId === newestId) ??
    accounts.find(({ id }) => id === selected?.id) ??
    accounts.at(-1);
  render(next);
  if (next) await showAccount(setup.baseUrl, next, isTokenTaken);
  else hideAccount();
};

const render = (account) => {
  selected = account;
  byId('ask-again').disabled = selectedConnection()?.status !== 'active';
  const view = { selectedId: account?.id, isTokenTaken };
  const body = byId('connections-body');
  const focused = body.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
  body.replaceChildren(...connectionCards(connections, view, { selectAccount, reconnect, revoke }));
  // If the button is gone, the selected account gets the focus.
  if (focused !== null && !focusButton(focused)) focusButton(account?.id);
};

/** Focuses a button of the connections; false if there is none with this key. */
const focusButton = (key = '') => {
  const button = document.querySelector(`[data-focus="${CSS.escape(key)}"]`);
  button?.focus();
  return button !== null;
};

const selectedConnection = () => connections.find(({ id }) => id === selected?.connectionId);

const selectAccount = async (account) => {
  render(account);
  await showAccount(setup.baseUrl, account, isTokenTaken);
};

// A reconnect widget is for one connection. Each is kept until the next one is created, because it may be open.
let reconnectWidget;
const reconnect = ({ id: connectionId }) => {
  reconnectWidget?.destroy();
  const { applicationId } = setup;
  const onEvent = (name) => {
    // A webhook may have replaced the button that opened the widget, to which the focus would return.
    if (name === 'closed' && !byId('main').contains(document.activeElement)) focusButton(selected?.id);
  };
  reconnectWidget = ServiceConnect.init({
    ...{ applicationId, connectionId, theme },
    ...{ onSuccess: onConnected, onEvent },
  });
  reconnectWidget.open();
};

const revoke = ({ id, institution }) => {
  const dialog = byId('confirm');
  byId('confirm-title').textContent = `Revoke ${institution.name}?`;
  dialog.returnValue = '';
  dialog.onclose = async () => {
    if (dialog.returnValue !== 'revoke') return;
    try {
      await revokeConnection(id);
      announce(`${institution.name} is revoked`);
      await reload();
    } catch (error) {
      byId('notice').replaceChildren(errorMessage(error));
    }
  };
  dialog.showModal();
};

byId('usernames').append(
  ...usernames.map(([name, description]) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, element('code', {}, name)),
      element('td', {}, description),
    ),
  ),
);
byId('take-token').addEventListener('click', async () => {
  isTokenTaken = !isTokenTaken;
  byId('take-token').setAttribute('aria-checked', String(isTokenTaken));
  render(selected);
  if (selected) await showAccount(setup.baseUrl, selected, isTokenTaken);
});
byId('ask-again').addEventListener('click', async () => {
  try {
    await makeBankAskAgain(selected.connectionId);
    byId('live-notice').replaceChildren();
    announce('The bank now rejects the stored sign-in');
  } catch (error) {
    byId('live-notice').replaceChildren(errorMessage(error));
  }
});
byId('reload').addEventListener('click', () => reload());
start();
