// Reads the connections with the client.
import { createClient } from '@bank-connection/client';

// As in Next.js 14; later ones keep no answer unless told to.
export const fetchCache = 'default-cache';

const { BASE_URL: baseUrl, API_KEY: apiKey, SCOPED_TOKEN: scopedToken } = process.env;

export default async () => {
  const { data } = await createClient({ baseUrl, apiKey, scopedToken }).GET('/connections', {});
  return <p>{data.connections[0].status}</p>;
};
