// Reads the connections with fetch, whose answers Next.js 14 keeps.
// As in Next.js 14; later ones keep no answer unless told to.
export const fetchCache = 'default-cache';

const { BASE_URL, API_KEY, SCOPED_TOKEN } = process.env;
const headers = { Authorization: `Bearer ${API_KEY}`, 'X-Scoped-Token': SCOPED_TOKEN };

export default async () => {
  const { connections } = await (await fetch(`${BASE_URL}/connections`, { headers })).json();
  return <p>{connections[0].status}</p>;
};
