// The token of an invitation or reset link stands behind #, where no server sees it. It is read once and taken out of
// the address, so that it stays neither in the history nor on the screen.
import { useState } from 'react';

export const useLinkToken = (): string => {
  const [token] = useState(() => window.location.hash.slice(1));
  if (window.location.hash) {
    window.history.replaceState(window.history.state, '', window.location.pathname);
  }
  return token;
};
