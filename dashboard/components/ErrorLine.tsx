// The line reserved for a field's validation message.
import { useLayoutEffect, useRef } from 'react';

/**
 * Always takes up one line and never shrinks. A message disappears when the field loses focus, which happens when the mouse
 * button is pressed on the form's button: that button must not move away from the pointer.
 */
export const ErrorLine = ({ id, message }: { id: string; message: string }) => {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = place.current!;
    const observer = new ResizeObserver(() => {
      element.style.minBlockSize = `${element.offsetHeight}px`;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place} id={id} className="error-line">
      {message && <span className="field-error">{message}</span>}
    </div>
  );
};
