// A secret that the service tells once and keeps nowhere. The window stays until its reader says that they have it.
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Copyable } from './Copy.tsx';
import { Notice } from './Notice.tsx';
import { Window } from './Window.tsx';

type ShownOnceProps = {
  title: string;
  what: string;
  text: string | undefined;
  /** What to do with it. */
  children: ReactNode;
  onClose: () => void;
};

export const ShownOnce = ({ title, what, text, children, onClose }: ShownOnceProps) => (
  <Window title={title} isOpen={text !== undefined} onClose={onClose} wide isKept>
    <Notice tone="warn">
      <strong>This is shown only now.</strong>
      <p>Copy it before you close this window. If you lose it, make a new one.</p>
    </Notice>
    <Copyable text={text ?? ''} what={what} isSecret />
    <p className="soft">{children}</p>
    <div className="actions">
      <Button onPress={onClose}>I have copied it</Button>
    </div>
  </Window>
);
