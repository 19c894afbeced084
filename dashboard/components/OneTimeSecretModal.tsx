// A secret that the service tells once and keeps nowhere. The window stays until its reader says that they have it.
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Copyable } from './CopyButton.tsx';
import { Window } from './Modal.tsx';
import { Notice } from './Notice.tsx';

type OneTimeSecretModalProps = {
  title: string;
  label: string;
  secret: string | undefined;
  /** What to do with it. */
  children: ReactNode;
  onClose: () => void;
};

export const OneTimeSecretModal = ({ title, label, secret, children, onClose }: OneTimeSecretModalProps) => (
  <Window title={title} isOpen={secret !== undefined} onClose={onClose} wide isPersistent>
    <Notice tone="warn">
      <strong>This is shown only now.</strong>
      <p>Copy it before you close this window. If you lose it, make a new one.</p>
    </Notice>
    <Copyable text={secret ?? ''} label={label} isSecret />
    <p className="soft">{children}</p>
    <div className="actions">
      <Button onPress={onClose}>I have copied it</Button>
    </div>
  </Window>
);
