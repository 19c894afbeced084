// Modal dialogs. React Aria traps the focus, restores it afterwards, and closes on Escape.
import type { ReactNode } from 'react';
import { Modal as AriaModal, Dialog, Heading, ModalOverlay } from 'react-aria-components';
import { errorMessage } from '../api/apiClient.ts';
import { Button } from './Button.tsx';
import { Notice } from './Notice.tsx';

type ModalProps = {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  wide?: boolean;
  /** Announced as an alert dialog. */
  alert?: boolean;
  /** Only its own buttons close it, not Escape or a click outside. */
  isPersistent?: boolean;
};

export const Modal = ({ title, isOpen, onClose, children, wide, alert, isPersistent }: ModalProps) => (
  <ModalOverlay
    className="overlay"
    isOpen={isOpen}
    onOpenChange={(open) => !open && onClose()}
    isDismissable={!isPersistent}
    isKeyboardDismissDisabled={isPersistent}
  >
    <AriaModal className={wide ? 'modal wide' : 'modal'}>
      <Dialog className="dialog" role={alert ? 'alertdialog' : 'dialog'}>
        <Heading slot="title" level={2}>
          {title}
        </Heading>
        {children}
      </Dialog>
    </AriaModal>
  </ModalOverlay>
);

type ConfirmModalProps = {
  title: string;
  /** The consequences, and whether they can be undone. */
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
