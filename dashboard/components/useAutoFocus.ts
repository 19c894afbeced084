// Focuses an element that has just appeared, in a passive effect, because a modal is open by then.
import { type RefObject, useEffect } from 'react';

export const useAutoFocus = (element: RefObject<HTMLElement | null>, isWanted: boolean | undefined): void => {
  useEffect(() => {
    if (isWanted) element.current!.focus();
  }, [element, isWanted]);
};
