// The samples themselves, as text.
type Sample = { id: string; label: string; note: string; code: string };
type SampleContext = { applicationId: string; baseUrl: string; isSigned: boolean };

export const samplesFor = (facts: SampleContext): Sample[] => [
  {
    id: 'html',
    label: 'HTML',
    note: 'Any page at one of the allowed origins. The scoped token goes to your own backend at once.',
    code: html(facts),
  },
  {
    id: 'react',
    label: 'React',
    note: 'The same as a component, from the package in widget/react. Server rendering and strict mode are fine.',
    code: react(facts),
  },
  {
    id: 'backend',
    label: 'Backend',
    note: 'Reading with an access key and the user’s scoped token, which only your backend holds.',
    code: backend(facts),
  },
  {
    id: 'curl',
    label: 'Command line',
    note: 'The quickest way to see an answer.',
    code: curl(facts),
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
      // The scoped token comes with a user's first connection, and only this once.
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

/** An application that wants signed users refuses the widget without one. */
const signature = `
    userSignature: 'HMAC-SHA256 of that id with your signing secret, in hex, from your backend',`;

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
      // The scoped token comes with a user's first connection, and only this once.
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
}: SampleContext): string => `// Node 20 or newer. Both secrets come from where your backend keeps its secrets.
const ask = async (path, scopedToken) => {
  const response = await fetch('${baseUrl}' + path, {
    headers: {
      Authorization: \`Bearer \${process.env.BANK_CONNECTION_API_KEY}\`,
      'X-Scoped-Token': scopedToken,
    },
  });
  if (!response.ok) throw new Error((await response.json()).code);
  return response.json();
};

const { connections } = await ask('/connections', scopedToken);
for (const connection of connections) {
  const { accounts } = await ask(\`/connections/\${connection.id}/accounts\`, scopedToken);
  for (const account of accounts) {
    const { transactions } = await ask(\`/accounts/\${account.id}/transactions?limit=100\`, scopedToken);
    console.log(account.name, account.balance.current, transactions.length);
  }
}
`;

const curl = ({ baseUrl }: SampleContext): string => `curl ${baseUrl}/connections \\
  -H "Authorization: Bearer $BANK_CONNECTION_API_KEY" \\
  -H "X-Scoped-Token: $SCOPED_TOKEN"
`;
