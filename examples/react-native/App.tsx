/** @jsxImportSource react */
// A screen that connects a bank and restores it. Put it in place of App.tsx of a new React Native application.
import { useState } from 'react';
import { Pressable, Text, View } from 'react-native';
// In your own application: from '@bank-connection/react-native'.
import { type ConnectResult, ServiceConnect, useServiceConnect } from '../../widget/react-native/index.ts';

const baseUrl = 'https://bank.example.com';
const applicationId = 'app_…';
const backend = 'https://shop.example.com';

/** The scoped token belongs on your backend, and is shown this once. */
const keep = async (result: ConnectResult): Promise<void> => {
  const answer = await fetch(`${backend}/connected`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(result),
  });
  if (!answer.ok) throw new Error('The connection could not be kept.');
};

export const App = () => {
  const [connected, setConnected] = useState<ConnectResult>();
  const [status, setStatus] = useState('');
  const { open, error, view } = useServiceConnect({
    baseUrl,
    applicationId,
    // Once there is a connection, the widget restores it: for when the bank asks for a new login.
    connectionId: connected?.connectionId,
    onSuccess: async (result) => {
      setConnected(result);
      setStatus(`Connected: ${result.institution.name}`);
      if (result.scopedToken) await keep(result).catch((error: Error) => setStatus(error.message));
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
