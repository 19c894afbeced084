// The texts of the code samples.
type Sample = { id: string; label: string; note: string; code: string };
type SampleContext = {
  applicationId: string;
  baseUrl: string;
  /** True if the application has an identity secret. */
  isSigned: boolean;
};

export const samplesFor = (context: SampleContext): Sample[] => [
  {
    id: 'html',
    label: 'HTML',
    note: 'Any page at an allowed origin. It sends the scoped token to your backend.',
    code: html(context),
  },
  {
    id: 'react',
    label: 'React',
    note: 'The same as a React component. It works with server rendering and strict mode.',
    code: react(context),
  },
  {
    id: 'backend',
    label: 'Backend',
    note: 'Reads data with an API key and the user’s scoped token, which only your backend has.',
    code: backend(context),
  },
  {
    id: 'curl',
    label: 'Command line',
    note: 'The quickest way to see a response.',
    code: curl(context),
  },
];

const html = ({
  applicationId,
  baseUrl,
  isSigned,
}: SampleContext): string => `<script src="${baseUrl}/connect.js"></script>
<button id="connect">Connect your bank</button>

<script>
  const widget = ServiceConnect.init({
    applicationId: '${applicationId}',
    externalUserId: 'your-own-id-of-this-user',${isSigned ? signature : ''}
    onSuccess: ({ connectionId, scopedToken }) =>
      // The scoped token is returned once, with the user's first connection.
      fetch('/bank-connections', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ connectionId, scopedToken }),
      }),
    onExit: () => console.log('closed without a connection'),
  });
  document.getElementById('connect').onclick = () => widget.open();
</script>
`;

const signature = `
    userSignature: 'from signUser in your backend, less than ten minutes old',`;

const signUser = `
// The userSignature of the widget, valid for ten minutes. Sign a connectionId only to reconnect, and only the user's own.
import { createHmac } from 'node:crypto';

const signUser = (externalUserId, connectionId = '') => {
  const seconds = Math.floor(Date.now() / 1000);
  const hmac = createHmac('sha256', process.env.BANK_CONNECTION_SIGNING_SECRET);
  return \`t=\${seconds},v1=\${hmac.update(\`\${seconds}.\${connectionId}.\${externalUserId}\`).digest('hex')}\`;
};
`;

const react = ({
  applicationId,
  baseUrl,
  isSigned,
}: SampleContext): string => `import { ServiceConnectButton } from '@bank-connection/react';

export const ConnectBank = ({ user }) => (
  <ServiceConnectButton
    baseUrl="${baseUrl}"
    applicationId="${applicationId}"
    externalUserId={user.id}${isSigned ? '\n    userSignature={user.signature}' : ''}
    onSuccess={({ connectionId, scopedToken }) =>
      // The scoped token is returned once, with the user's first connection.
      fetch('/bank-connections', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ connectionId, scopedToken }),
      })
    }
  >
    Connect your bank
  </ServiceConnectButton>
);
`;

const backend = ({
  baseUrl,
  isSigned,
}: SampleContext): string => `// Node 20 or newer. Read both secrets from your backend's secret store.
const get = async (path, scopedToken) => {
  const response = await fetch('${baseUrl}' + path, {
    headers: {
      Authorization: \`Bearer \${process.env.BANK_CONNECTION_API_KEY}\`,
      'X-Scoped-Token': scopedToken,
    },
  });
  if (!response.ok) throw new Error((await response.json()).code);
  return response.json();
};

const { connections } = await get('/connections', scopedToken);
for (const connection of connections) {
  const { accounts } = await get(\`/connections/\${connection.id}/accounts\`, scopedToken);
  for (const account of accounts) {
    const { transactions } = await get(\`/accounts/\${account.id}/transactions?limit=100\`, scopedToken);
    console.log(account.name, account.balance.current, transactions.length);
  }
}
${isSigned ? signUser : ''}`;

const curl = ({ baseUrl }: SampleContext): string => `curl ${baseUrl}/connections \\
  -H "Authorization: Bearer $BANK_CONNECTION_API_KEY" \\
  -H "X-Scoped-Token: $SCOPED_TOKEN"
`;
