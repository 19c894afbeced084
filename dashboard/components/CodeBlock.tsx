// A piece of code to take away. It can be scrolled by keyboard, so it takes the focus.
import { CopyButton } from './CopyButton.tsx';

export const CodeBlock = ({ text, what }: { text: string; what: string }) => (
  <section className="code" aria-label={what}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
    <pre tabIndex={0}>
      <code>{text}</code>
    </pre>
    <CopyButton text={text} label={what} showText />
  </section>
);
