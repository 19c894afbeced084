// The curl commands that read the same data. Both credentials are placeholders: the page never has the API key, and the
// session's scoped token only on request.
import { readScopedToken } from './backend.js';
import { announce, element, errorMessage } from './elements.js';

const keyHeader = '-H "Authorization: Bearer $API_KEY"';
const bothHeaders = `${keyHeader} \\\n  -H "X-Scoped-Token: $SCOPED_TOKEN"`;

/** The commands for one account and, if given, one of its transactions. */
export const commandList = (baseUrl, { connectionId, id: accountId }, transactionId) => {
  const curl = (path, headers, options = '') => `curl -sS${options} "${baseUrl}${path}" \\\n  ${headers}`;
  const account = `/accounts/${accountId}`;
  const commands = [
    ['List connections', 'All that the token reads', curl('/connections', bothHeaders)],
    ['Get connection', 'Needs the API key only', curl(`/connections/${connectionId}`, keyHeader)],
    ['List accounts', 'With their balances', curl(`/connections/${connectionId}/accounts`, bothHeaders)],
    ['Get account', 'One of them', curl(account, bothHeaders)],
    [
      'List transactions',
      'The first page; pagination.nextCursor goes into cursor=',
      curl(`${account}/transactions?limit=25`, bothHeaders),
    ],
    [
      'List transactions of this month',
      'Date operators combine; -g lets the brackets through',
      curl(`${account}/transactions?${thisMonth()}`, bothHeaders, ' -g'),
    ],
  ];
  if (transactionId) {
    commands.push([
      'Get transaction',
      'One of them',
      curl(`${account}/transactions/${transactionId}`, bothHeaders),
    ]);
  }
  return [
    credentials(connectionId),
    element(
      'ol',
      { class: 'commands' },
      commands.map(([name, description, text]) => element('li', {}, command(name, description, text))),
    ),
  ];
};

const thisMonth = () => `date[gte]=${new Date().toISOString().slice(0, 7)}-01`;

const credentials = (connectionId) => {
  const box = element('div', { class: 'credentials' });
  const showToken = async () => {
    try {
      const { scopedToken } = await readScopedToken(connectionId);
      box.replaceChildren(
        command(
          'Your credentials',
          'Paste the API key that the service printed at its first start',
          exportCommands(scopedToken),
        ),
      );
      box.querySelector('button').focus();
    } catch (error) {
      box.replaceChildren(errorMessage(error, showToken));
    }
  };
  box.append(
    command(
      'Your credentials',
      'The API key is printed once, when the service first starts',
      exportCommands('sct_…'),
    ),
    element('button', { class: 'ghost', type: 'button', click: showToken }, 'Show my scoped token'),
  );
  return box;
};

const exportCommands = (token) => `export API_KEY='…'\nexport SCOPED_TOKEN='${token}'`;

/** A text with its name, and a button that copies it. */
export const command = (name, description, text) => {
  const code = element('code', {}, text);
  const copy = element(
    'button',
    { class: 'ghost copy', type: 'button', click: () => copyText(text, code, copy) },
    'Copy',
    element('span', { class: 'visually-hidden' }, ` ${name}`),
  );
  return element(
    'figure',
    { class: 'command' },
    element('figcaption', {}, element('span', {}, element('b', {}, name), ` ${description}`), copy),
    element('pre', {}, code),
  );
};

// Browsers allow the clipboard on https and localhost only; elsewhere the text is selected instead.
const copyText = async (text, code, button) => {
  try {
    await navigator.clipboard.writeText(text);
    button.firstChild.data = 'Copied';
    announce('Copied');
    setTimeout(() => {
      button.firstChild.data = 'Copy';
    }, 2000);
  } catch {
    getSelection().selectAllChildren(code);
    announce('Selected; copy it with your keyboard');
  }
};
