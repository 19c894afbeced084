// Shows a secret that the service returns once and does not store. Stays open until its button is pressed.
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Copyable } from './CopyButton.tsx';
import { Modal } from './Modal.tsx';
import { Notice } from './Notice.tsx';

type OneTimeSecretModalProps = {
  title: string;
  label: string;
  secret: string | undefined;
  children: ReactNode;
  onClose: () => void;
};

export const OneTimeSecretModal = ({ title, label, secret, children, onClose }: OneTimeSecretModalProps) => (
  <Modal title={title} isOpen={secret !== undefined} onClose={onClose} wide isPersistent>
    <Notice tone="warn">
      <strong>This is shown only once.</strong>
      <p>Copy it before you close this dialog. If you lose it, create a new one.</p>
    </Notice>
    <Copyable text={secret ?? ''} label={label} isSecret />
    <p className="muted">{children}</p>
    <div className="actions">
      <Button onPress={onClose}>I’ve copied it</Button>
    </div>
  </Modal>
);
