// Copies a text to the clipboard. The button itself reports the result, including to screen readers.
import { useEffect, useState } from 'react';
import { Button } from './Button.tsx';
import { Check, Copy } from './icons.tsx';

/** False if the browser refuses, for example over plain http on hosts other than localhost. */
const writeToClipboard = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
};

type CopyButtonProps = { text: string; label: string; primary?: boolean; showText?: boolean };

/** `label` describes the text for screen readers: "Copy application id". */
export const CopyButton = ({ text, label, primary, showText }: CopyButtonProps) => {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>();
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(undefined), 2500);
    return () => clearTimeout(timer);
  }, [outcome]);
  const resultTexts = { copied: 'Copied', failed: 'Select and copy' } as const;
  const buttonText = outcome ? resultTexts[outcome] : 'Copy';
  const Icon = outcome === 'copied' ? Check : Copy;
  return (
    <>
      <Button
        compact
        ghost={!primary}
        primary={primary}
        icon={!showText && outcome !== 'failed'}
        aria-label={outcome ? buttonText : `Copy ${label}`}
        onPress={async () => setOutcome((await writeToClipboard(text)) ? 'copied' : 'failed')}
      >
        <Icon size={16} aria-hidden="true" />
        {(showText || outcome === 'failed') && <span>{buttonText}</span>}
      </Button>
      <span className="visually-hidden" role="status">
        {outcome === 'copied' ? `Copied ${label}.` : ''}
      </span>
    </>
  );
};

type CopyableProps = { text: string; label: string; isSecret?: boolean };

/** A text in full with a copy button. */
export const Copyable = ({ text, label, isSecret }: CopyableProps) => (
  <div className={isSecret ? 'copyable secret' : 'copyable'}>
    <code>{text}</code>
    <CopyButton text={text} label={label} primary={isSecret} showText={isSecret} />
  </div>
);
