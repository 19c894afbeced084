/** @jsxImportSource react */
// A screen that connects and reconnects a bank. Replace App.tsx of a new React Native application with it.
import { type ConnectResult, ServiceConnect, useServiceConnect } from '@bank-connection/react-native';
import { useState } from 'react';
import { Pressable, Text, View } from 'react-native';

const baseUrl = 'https://bank.example.com';
const applicationId = 'app_…';
const backend = 'https://shop.example.com';

/** Sends the scoped token, which is returned only once, to your backend. */
const storeConnection = async (result: ConnectResult): Promise<void> => {
  const response = await fetch(`${backend}/connected`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(result),
  });
  if (!response.ok) throw new Error('The connection could not be stored.');
};

export const App = () => {
  const [connected, setConnected] = useState<ConnectResult>();
  const [status, setStatus] = useState('');
  const { open, error, view } = useServiceConnect({
    baseUrl,
    applicationId,
    // With a connection id, the widget reconnects this connection if the institution requires a new sign-in.
    connectionId: connected?.connectionId,
    onSuccess: async (result) => {
      setConnected(result);
      setStatus(`Connected: ${result.institution.name}`);
      if (result.scopedToken) await storeConnection(result).catch((error: Error) => setStatus(error.message));
    },
    onExit: () => setStatus('You closed the widget.'),
  });
  return (
    <View style={{ flex: 1, alignItems: 'center', justifyContent: 'center' }}>
      <Pressable accessibilityRole="button" onPress={open}>
        <Text>{connected ? `Reconnect ${connected.institution.name}` : 'Connect a bank'}</Text>
      </Pressable>
      <Text>{error?.message ?? status}</Text>
      <ServiceConnect {...view} />
    </View>
  );
};
