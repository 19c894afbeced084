// The contents of a frozen database's folder, and how its responses are requested.

/** The frozen service's own URL, which its responses may contain. */
export const baseUrl = 'https://bank.example';

/** Receives the webhooks of a frozen endpoint. No other test uses it: see freePort.ts. */
export const webhookPort = 20_100;

export type Credentials = {
  frozenAt: string;
  sandboxOffsetSeconds: number;
  organizationId: string;
  applicationId: string;
  apiKey: string;
  managementToken: string;
  webhookSecret: string;
  /** The scoped tokens of a named and of an anonymous user. */
  user: string;
  anonymous: string;
  /** A connection of the sandbox user `moves`. */
  movingConnectionId: string;
  simplefin: string;
  simplefinPassword: string;
};

export type FrozenResponse = { as: 'user' | 'anonymous' | 'simplefin'; path: string; body: string };

export const sendRequest = async (
  url: string,
  credentials: Credentials,
  { as, path }: Pick<FrozenResponse, 'as' | 'path'>,
): Promise<{ status: number; body: string }> => {
  const { apiKey, simplefin, simplefinPassword } = credentials;
  const basic = Buffer.from(`${simplefin}:${simplefinPassword}`).toString('base64');
  const headers: Record<string, string> =
    as === 'simplefin'
      ? { Authorization: `Basic ${basic}` }
      : { Authorization: `Bearer ${apiKey}`, 'X-Scoped-Token': credentials[as] };
  const response = await fetch(`${url}${path}`, { headers });
  return { status: response.status, body: await response.text() };
};
