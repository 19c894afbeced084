// The one button that leads on. While a step is under way it says so, also to the ear, and cannot be pressed again.
import { t } from '../texts/texts.ts';

/** Submits the form around it, unless it is told what to do. */
export const ContinueButton = ({ working, onClick }: { working: boolean; onClick?: () => void }) => (
  <>
    <button type={onClick ? 'button' : 'submit'} class="main" disabled={working} onClick={onClick}>
      {working && <span class="wheel" aria-hidden="true" />}
      {t.continue}
    </button>
    <span class="unseen" role="status">
      {working && t.loading}
    </span>
  </>
);
