// Reads the connections with fetch, whose responses Next.js 14 caches.
// The default of Next.js 14; later versions cache responses only on request.
export const fetchCache = 'default-cache';

const { BASE_URL, API_KEY, SCOPED_TOKEN } = process.env;
const headers = { Authorization: `Bearer ${API_KEY}`, 'X-Scoped-Token': SCOPED_TOKEN };

export default async () => {
  const { connections } = await (await fetch(`${BASE_URL}/connections`, { headers })).json();
  return <p>{connections[0].status}</p>;
};
