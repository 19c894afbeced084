// Modal dialogs with a title.
import { type ReactNode, useId } from 'react';
import { errorMessage } from '../api/apiClient.ts';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { Notice } from './Notice.tsx';

type ModalProps = {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  wide?: boolean;
  /** Announced as an alert dialog. */
  alert?: boolean;
  /** Only its own buttons close it; Escape and clicks outside do not. */
  isPersistent?: boolean;
};

export const Modal = ({ isOpen, ...props }: ModalProps) => (isOpen ? <OpenModal {...props} /> : null);

const OpenModal = ({ title, children, wide, ...props }: Omit<ModalProps, 'isOpen'>) => {
  const id = useId();
  return (
    <Dialog {...props} className={wide ? 'modal wide' : 'modal'} labelledBy={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </Dialog>
  );
};

type ConfirmModalProps = {
  title: string;
  /** The consequences, including if they can be undone. */
  children: ReactNode;
  action: string;
  isOpen: boolean;
  isPending: boolean;
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
  danger?: boolean;
};

/** Asks for confirmation before an action. */
export const ConfirmModal = ({
  title,
  children,
  action,
  isOpen,
  isPending,
  error,
  ...on
}: ConfirmModalProps) => (
  <Modal title={title} isOpen={isOpen} onClose={on.onClose} alert>
    <div className="stack tight">{children}</div>
    {error && <Notice tone="bad">{errorMessage(error)}</Notice>}
    <div className="actions">
      <Button onPress={on.onClose} autoFocus>
        Cancel
      </Button>
      <Button primary danger={on.danger !== false} isPending={isPending} onPress={on.onConfirm}>
        {action}
      </Button>
    </div>
  </Modal>
);
