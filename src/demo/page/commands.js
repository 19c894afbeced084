// The commands that read the same data from a terminal. The two credentials are placeholders: the API key never
// comes to this page, and the visitor's own token only when asked for.
import { readScopedToken } from './backend.js';
import { element, failure, say } from './elements.js';

const key = '-H "Authorization: Bearer $API_KEY"';
const both = `${key} \\\n  -H "X-Scoped-Token: $SCOPED_TOKEN"`;

/** The section's content for the account that is shown, and one of its transactions where it has any. */
export const commandList = (baseUrl, { connectionId, id: accountId }, transactionId) => {
  const call = (path, headers, options = '') => `curl -sS${options} "${baseUrl}${path}" \\\n  ${headers}`;
  const account = `/accounts/${accountId}`;
  const commands = [
    ['List connections', 'All that the token reads', call('/connections', both)],
    ['Get connection', 'Needs the API key only', call(`/connections/${connectionId}`, key)],
    ['List accounts', 'With their balances', call(`/connections/${connectionId}/accounts`, both)],
    ['Get account', 'One of them', call(account, both)],
    [
      'List transactions',
      'The first page; pagination.nextCursor goes into cursor=',
      call(`${account}/transactions?limit=25`, both),
    ],
    [
      'List transactions of this month',
      'Date operators combine; -g lets the brackets through',
      call(`${account}/transactions?${thisMonth()}`, both, ' -g'),
    ],
  ];
  if (transactionId) {
    commands.push(['Get transaction', 'One of them', call(`${account}/transactions/${transactionId}`, both)]);
  }
  return [
    credentials(connectionId),
    element(
      'ol',
      { class: 'commands' },
      commands.map(([name, what, text]) => element('li', {}, command(name, what, text))),
    ),
  ];
};

const thisMonth = () => `date[gte]=${new Date().toISOString().slice(0, 7)}-01`;

const credentials = (connectionId) => {
  const box = element('div', { class: 'credentials' });
  const show = async () => {
    try {
      const { scopedToken } = await readScopedToken(connectionId);
      box.replaceChildren(
        command(
          'Your credentials',
          'Paste the API key that the service printed at its first start',
          exportsWith(scopedToken),
        ),
      );
      box.querySelector('button').focus();
    } catch (error) {
      box.replaceChildren(failure(error, show));
    }
  };
  box.append(
    command(
      'Your credentials',
      'The API key is printed once, when the service first starts',
      exportsWith('sct_…'),
    ),
    element('button', { class: 'quiet', type: 'button', click: show }, 'Show my scoped token'),
  );
  return box;
};

const exportsWith = (token) => `export API_KEY='…'\nexport SCOPED_TOKEN='${token}'`;

const command = (name, what, text) => {
  const code = element('code', {}, text);
  const copy = element(
    'button',
    { class: 'quiet copy', type: 'button', click: () => copyOf(text, code, copy) },
    'Copy',
    element('span', { class: 'unseen' }, ` ${name}`),
  );
  return element(
    'figure',
    { class: 'command' },
    element('figcaption', {}, element('span', {}, element('b', {}, name), ` ${what}`), copy),
    element('pre', {}, code),
  );
};

// Browsers give the clipboard only to https and to this machine; elsewhere the text is selected instead.
const copyOf = async (text, code, button) => {
  try {
    await navigator.clipboard.writeText(text);
    button.firstChild.data = 'Copied';
    say('Copied');
    setTimeout(() => {
      button.firstChild.data = 'Copy';
    }, 2000);
  } catch {
    getSelection().selectAllChildren(code);
    say('Selected; copy it with your keyboard');
  }
};
