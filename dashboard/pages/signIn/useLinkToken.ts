// The token of an invitation or reset link. It is in the URL fragment, which is not sent to servers; it is read once and
// removed from the URL, so that it stays neither in the history nor on the screen.
import { useState } from 'react';

export const useLinkToken = (): string => {
  const [token] = useState(() => window.location.hash.slice(1));
  if (window.location.hash) {
    window.history.replaceState(window.history.state, '', window.location.pathname);
  }
  return token;
};
