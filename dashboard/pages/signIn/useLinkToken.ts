// The token of an invitation or reset link. It is in the URL's fragment, which browsers do not send. It is read once and then
// removed, so that it stays neither in the history nor on the screen.
import { useState } from 'react';

export const useLinkToken = (): string => {
  const [token] = useState(() => window.location.hash.slice(1));
  if (window.location.hash) {
    window.history.replaceState(window.history.state, '', window.location.pathname);
  }
  return token;
};
