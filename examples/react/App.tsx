/** @jsxImportSource react */
// A page that connects banks with the hook and reconnects the last one with the button.
import { type ConnectResult, ServiceConnectButton, useServiceConnect } from '@bank-connection/react';
import { useState } from 'react';
import { applicationId, baseUrl } from './settings.ts';

/** Sends the scoped token, which is returned only once, to your backend. */
const storeConnection = async (result: ConnectResult): Promise<void> => {
  const response = await fetch('/connected', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(result),
  });
  if (!response.ok) throw new Error('The connection could not be stored.');
};

export const App = () => {
  const [connected, setConnected] = useState<ConnectResult[]>([]);
  const [status, setStatus] = useState('');
  const { open, ready, error } = useServiceConnect({
    baseUrl,
    applicationId,
    onSuccess: async (result) => {
      setConnected((before) => [...before, result]);
      await storeConnection(result).catch((error: Error) => setStatus(error.message));
    },
    onExit: () => setStatus('You closed the widget.'),
  });
  const last = connected.at(-1);

  return (
    <main>
      <h1>Connect a bank</h1>
      <button type="button" onClick={open} aria-busy={!ready}>
        Connect a bank
      </button>
      {last && (
        <ServiceConnectButton
          baseUrl={baseUrl}
          applicationId={applicationId}
          connectionId={last.connectionId}
          onSuccess={() => setStatus('Reconnected.')}
        >
          Reconnect {last.institution.name}
        </ServiceConnectButton>
      )}
      <ul>
        {connected.map(({ connectionId, institution, accounts }) => (
          <li key={connectionId}>
            {institution.name}: {accounts.map(({ name }) => name).join(', ')}
          </li>
        ))}
      </ul>
      <p role="status">{error?.message ?? status}</p>
    </main>
  );
};
