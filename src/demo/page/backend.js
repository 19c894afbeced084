// The page's questions to its own backend. A failure is an object of title, detail and requestId, whatever it was.

const ask = async (method, path, body) => {
  const init = {
    method,
    headers: body ? { 'Content-Type': 'application/json' } : {},
    body: body && JSON.stringify(body),
  };
  let response;
  try {
    response = await fetch(`/demo/api${path}`, init);
  } catch {
    throw { title: 'The service cannot be reached', detail: 'Is it still running?' };
  }
  const answer = await response.json().catch(() => ({ title: `The service answered ${response.status}` }));
  if (!response.ok) throw answer;
  return answer;
};

const part = encodeURIComponent;

export const readSetup = () => ask('GET', '/setup');
export const readConnections = () => ask('GET', '/connections');
export const keepConnection = ({ connectionId, scopedToken }) =>
  ask('POST', '/connections', { connectionId, scopedToken });
export const revokeConnection = (connectionId) => ask('DELETE', `/connections/${part(connectionId)}`);
export const readScopedToken = (connectionId) =>
  ask('POST', `/connections/${part(connectionId)}/scoped-token`);
export const readTransactions = ({ connectionId, id }, cursor) =>
  ask(
    'GET',
    `/connections/${part(connectionId)}/accounts/${part(id)}/transactions${cursor ? `?cursor=${part(cursor)}` : ''}`,
  );
