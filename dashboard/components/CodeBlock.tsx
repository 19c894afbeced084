// A code block with a copy button.
import { CopyButton } from './CopyButton.tsx';

export const CodeBlock = ({ text, label }: { text: string; label: string }) => (
  <section className="code" aria-label={label}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable by keyboard. */}
    <pre tabIndex={0}>
      <code>{text}</code>
    </pre>
    <CopyButton text={text} label={label} showText />
  </section>
);
