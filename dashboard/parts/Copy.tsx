// Copying: the button itself says that it is done, to eyes and to screen readers.
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './Button.tsx';

/** Writes to the clipboard; tells where the browser does not let a page do that (plain http on another host). */
const write = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
};

type CopyProps = { text: string; what: string; primary?: boolean; withWord?: boolean };

/** `what` names the text for screen readers: "Copy application id". */
export const CopyButton = ({ text, what, primary, withWord }: CopyProps) => {
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
        quiet={!primary}
        primary={primary}
        icon={!withWord && outcome !== 'failed'}
        aria-label={outcome ? word : `Copy ${what}`}
        onPress={async () => setOutcome((await write(text)) ? 'copied' : 'failed')}
      >
        <Picture size={16} aria-hidden="true" />
        {(withWord || outcome === 'failed') && <span>{word}</span>}
      </Button>
      <span className="unseen" role="status">
        {outcome === 'copied' ? `Copied ${what}.` : ''}
      </span>
    </>
  );
};

type CopyableProps = { text: string; what: string; isSecret?: boolean };

/** A text to take elsewhere, in full, with its button. */
export const Copyable = ({ text, what, isSecret }: CopyableProps) => (
  <div className={isSecret ? 'copyable secret' : 'copyable'}>
    <code>{text}</code>
    <CopyButton text={text} what={what} primary={isSecret} withWord={isSecret} />
  </div>
);
