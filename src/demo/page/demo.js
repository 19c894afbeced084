// The page: connect a bank in the widget, hand what it gives to the backend, and show what can then be read.
import { keepConnection, readConnections, readSetup, revokeConnection } from './backend.js';
import { commandList } from './commands.js';
import { connectionCards } from './connections.js';
import { byId, element, failure, loading, say } from './elements.js';
import { hideAccount, showAccount } from './transactions.js';
import { usernames } from './usernames.js';

let setup;
let connections = [];
let selected;

const start = async () => {
  byId('notice').replaceChildren();
  try {
    setup = await readSetup();
    await loadWidget();
  } catch (error) {
    byId('notice').replaceChildren(failure(error, start));
    return;
  }
  if (location.origin !== setup.baseUrl) byId('notice').replaceChildren(elsewhere());
  const { applicationId, externalUserId } = setup;
  const widget = ServiceConnect.init({ applicationId, externalUserId, onSuccess: connected });
  byId('connect').addEventListener('click', () => widget.open());
  byId('connect').disabled = false;
  await refresh();
};

const loadWidget = () =>
  new Promise((resolve, reject) => {
    const refuse = () =>
      reject({ title: 'The widget could not be loaded', detail: `It is at ${setup.baseUrl}/connect.js.` });
    document.head.append(
      element('script', { src: `${setup.baseUrl}/connect.js`, load: resolve, error: refuse }),
    );
  });

// The widget opens only on the addresses that the application allows.
const elsewhere = () =>
  element(
    'p',
    { class: 'failure' },
    `The widget works only at the service’s own address. Open this page at `,
    element('a', { href: `${setup.baseUrl}/demo` }, `${setup.baseUrl}/demo`),
    '.',
  );

const connected = async ({ connectionId, scopedToken, institution }) => {
  byId('notice').replaceChildren();
  const keep = async () => {
    try {
      await keepConnection({ connectionId, scopedToken });
    } catch (error) {
      byId('notice').replaceChildren(failure(error, keep));
      return;
    }
    say(`${institution.name} is connected`);
    selected = undefined;
    await refresh(connectionId);
  };
  await keep();
};

/** Reads the connections again and shows an account: the one shown before, else the first of `newestId`. */
const refresh = async (newestId) => {
  const body = byId('connections-body');
  if (connections.length === 0 && newestId) byId('connections').hidden = false;
  if (connections.length === 0) body.replaceChildren(loading(3, 'Reading your connections'));
  try {
    ({ connections } = await readConnections());
  } catch (error) {
    byId('connections').hidden = false;
    body.replaceChildren(failure(error, () => refresh(newestId)));
    return;
  }
  byId('connections').hidden = connections.length === 0;
  byId('commands').hidden = connections.length === 0;
  byId('hint').hidden = connections.length > 0;
  byId('steps').hidden = connections.length > 0;
  if (connections.length > 0) byId('people').open = false;
  const accounts = connections.flatMap((connection) => connection.accounts ?? []);
  const next =
    accounts.find(({ id }) => id === selected?.id) ??
    accounts.find(({ connectionId }) => connectionId === newestId) ??
    accounts.at(-1);
  draw(next);
  if (next) await show(next);
  else hideAccount();
};

const show = async (account) => {
  const commands = (transactionId) =>
    byId('commands-body').replaceChildren(...commandList(setup.baseUrl, account, transactionId));
  commands();
  const transactionId = await showAccount(account);
  if (transactionId && selected === account) commands(transactionId);
};

const draw = (account) => {
  selected = account;
  byId('connections-body').replaceChildren(
    element(
      'div',
      { class: 'cards' },
      connectionCards(connections, account?.id, { open, reconnect, revoke }),
    ),
  );
};

const open = async (account) => {
  draw(account);
  document.querySelector(`[data-account="${CSS.escape(account.id)}"]`)?.focus();
  await show(account);
};

// A widget is made for one connection; the last one stays until the next, as its last screen may be open.
let reconnecting;
const reconnect = ({ id: connectionId }) => {
  reconnecting?.destroy();
  const { applicationId } = setup;
  reconnecting = ServiceConnect.init({ applicationId, connectionId, onSuccess: connected });
  reconnecting.open();
};

const revoke = ({ id, institution }) => {
  const dialog = byId('confirm');
  byId('confirm-title').textContent = `Revoke ${institution.name}?`;
  dialog.returnValue = '';
  dialog.onclose = async () => {
    if (dialog.returnValue !== 'revoke') return;
    try {
      await revokeConnection(id);
      say(`${institution.name} is revoked`);
      await refresh();
    } catch (error) {
      byId('notice').replaceChildren(failure(error));
    }
  };
  dialog.showModal();
};

byId('usernames').append(
  ...usernames.map(([name, what]) =>
    element('tr', {}, element('th', { scope: 'row' }, element('code', {}, name)), element('td', {}, what)),
  ),
);
byId('reload').addEventListener('click', () => refresh());
start();
