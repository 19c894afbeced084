// The page's requests to its own backend. Every error is thrown as an object with title, detail, requestId and status.

const request = async (method, path, body) => {
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
  const data = await response.json().catch(() => ({ title: `The service returned ${response.status}` }));
  if (!response.ok) throw { ...data, status: response.status };
  return data;
};

const encode = encodeURIComponent;

export const readSetup = () => request('GET', '/setup');
export const readConnections = () => request('GET', '/connections');
export const saveConnection = ({ connectionId, scopedToken }) =>
  request('POST', '/connections', { connectionId, scopedToken });
export const revokeConnection = (connectionId) => request('DELETE', `/connections/${encode(connectionId)}`);
export const createSetupToken = (connectionId) =>
  request('POST', `/connections/${encode(connectionId)}/setup-token`);
export const makeBankAskAgain = (connectionId) =>
  request('POST', `/connections/${encode(connectionId)}/ask-again`);
export const readFeed = () => request('GET', '/feed');
const accountPath = ({ connectionId, id }) => `/connections/${encode(connectionId)}/accounts/${encode(id)}`;
/** `query` has the cursor of a page, or `token: 'none'`. */
export const readTransactions = (account, query) =>
  request('GET', `${accountPath(account)}/transactions?${new URLSearchParams(query)}`);
export const readStored = (account) => request('GET', `${accountPath(account)}/stored`);
