// The browser's modal dialog: the rest of the page is inert, and closing it restores focus.
import { type PointerEvent, type ReactNode, useLayoutEffect, useRef } from 'react';

type DialogProps = {
  className: string;
  label?: string;
  labelledBy?: string;
  /** Announced as an alert dialog. */
  alert?: boolean;
  /** Only its own buttons close it; Escape and clicks outside do not. */
  isPersistent?: boolean;
  onClose: () => void;
  children: ReactNode;
};

/** Open while it is rendered. The dialog itself gets focus, unless an element in it takes focus. */
export const Dialog = ({
  className,
  label,
  labelledBy,
  alert,
  isPersistent,
  onClose,
  children,
}: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedOutside = useRef(false);
  const dismiss = () => !isPersistent && onClose();
  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    element.focus();
    return () => element.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={className}
      role={alert ? 'alertdialog' : 'dialog'}
      aria-label={label}
      aria-labelledby={labelledBy}
      tabIndex={-1}
      // Keeps the browser from closing the dialog on its own.
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        dismiss();
      }}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        dismiss();
      }}
      onPointerDown={(event) => {
        pressedOutside.current = isOutside(event);
      }}
      onClick={(event) => pressedOutside.current && event.target === event.currentTarget && dismiss()}
    >
      {children}
    </dialog>
  );
};

/** True for an event on the backdrop, which is part of the dialog element. */
const isOutside = ({ clientX, clientY, currentTarget }: PointerEvent<HTMLDialogElement>): boolean => {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
};
