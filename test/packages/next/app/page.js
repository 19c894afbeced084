// Reads the connections with the client.
import { createClient } from '@bank-connection/client';

// The default of Next.js 14; later versions cache responses only on request.
export const fetchCache = 'default-cache';

const { BASE_URL: baseUrl, API_KEY: apiKey, SCOPED_TOKEN: scopedToken } = process.env;

export default async () => {
  const { data } = await createClient({ baseUrl, apiKey, scopedToken }).GET('/connections', {});
  return <p>{data.connections[0].status}</p>;
};
