// A button that opens a file picker.
import { type ReactNode, useRef } from 'react';
import { Button } from './Button.tsx';

type FileButtonProps = {
  /** Media types and file name extensions. */
  accept: readonly string[];
  onFile: (file: File) => void;
  compact?: boolean;
  isDisabled?: boolean;
  children: ReactNode;
};

export const FileButton = ({ accept, onFile, children, ...button }: FileButtonProps) => {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...button} onPress={() => input.current!.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept.join(',')}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          // Allows the same file to be chosen again.
          currentTarget.value = '';
          if (file) onFile(file);
        }}
      />
    </>
  );
};
