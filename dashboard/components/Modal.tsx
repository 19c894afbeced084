// Windows over the page. The component library keeps the focus inside, gives it back afterwards, and closes on Escape.
import type { ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { errorMessage } from '../api/apiClient.ts';
import { Button } from './Button.tsx';
import { Notice } from './Notice.tsx';

type ModalProps = {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  wide?: boolean;
  /** Asks for a decision: announced as an alert. */
  alert?: boolean;
  /** Only its own buttons close it, because what it shows is shown once. */
  isPersistent?: boolean;
};

export const Window = ({ title, isOpen, onClose, children, wide, alert, isPersistent }: ModalProps) => (
  <ModalOverlay
    className="veil"
    isOpen={isOpen}
    onOpenChange={(open) => !open && onClose()}
    isDismissable={!isPersistent}
    isKeyboardDismissDisabled={isPersistent}
  >
    <Modal className={wide ? 'modal wide' : 'modal'}>
      <Dialog className="dialog" role={alert ? 'alertdialog' : 'dialog'}>
        <Heading slot="title" level={2}>
          {title}
        </Heading>
        {children}
      </Dialog>
    </Modal>
  </ModalOverlay>
);

type ConfirmModalProps = {
  title: string;
  /** What happens, and what cannot be taken back. */
  children: ReactNode;
  action: string;
  isOpen: boolean;
  isPending: boolean;
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
  danger?: boolean;
};

/** Asks before something that others will notice. */
export const ConfirmModal = ({
  title,
  children,
  action,
  isOpen,
  isPending,
  error,
  ...on
}: ConfirmModalProps) => (
  <Window title={title} isOpen={isOpen} onClose={on.onClose} alert>
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
  </Window>
);
