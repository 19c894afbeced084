// Delays a search until the user stops typing.
import { useEffect, useState } from 'react';

/** `text` after 250 ms without a change. */
export const useDebounced = (text: string): string => {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), 250);
    return () => clearTimeout(timer);
  }, [text]);
  return debounced;
};
