// Copying: the button itself says that it is done, to eyes and to screen readers.

import { useEffect, useState } from 'react';
import { Button } from './Button.tsx';
import { Check, Copy } from './icons.tsx';

/** Writes to the clipboard; tells where the browser does not let a page do that (plain http on another host). */
const writeToClipboard = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
};

type CopyButtonProps = { text: string; label: string; primary?: boolean; showText?: boolean };

/** `what` names the text for screen readers: "Copy application id". */
export const CopyButton = ({ text, label, primary, showText }: CopyButtonProps) => {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>();
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(undefined), 2500);
    return () => clearTimeout(timer);
  }, [outcome]);
  const words = { copied: 'Copied', failed: 'Select and copy' } as const;
  const word = outcome ? words[outcome] : 'Copy';
  const Picture = outcome === 'copied' ? Check : Copy;
  return (
    <>
      <Button
        compact
        ghost={!primary}
        primary={primary}
        icon={!showText && outcome !== 'failed'}
        aria-label={outcome ? word : `Copy ${label}`}
        onPress={async () => setOutcome((await writeToClipboard(text)) ? 'copied' : 'failed')}
      >
        <Picture size={16} aria-hidden="true" />
        {(showText || outcome === 'failed') && <span>{word}</span>}
      </Button>
      <span className="unseen" role="status">
        {outcome === 'copied' ? `Copied ${label}.` : ''}
      </span>
    </>
  );
};

type CopyableProps = { text: string; label: string; isSecret?: boolean };

/** A text to take elsewhere, in full, with its button. */
export const Copyable = ({ text, label, isSecret }: CopyableProps) => (
  <div className={isSecret ? 'copyable secret' : 'copyable'}>
    <code>{text}</code>
    <CopyButton text={text} label={label} primary={isSecret} showText={isSecret} />
  </div>
);
