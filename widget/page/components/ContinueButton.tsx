// The button that submits a step. While a step is being submitted, it is disabled and screen readers hear so.
import { t } from '../texts/texts.ts';

/** Submits the surrounding form, or calls `onClick`. */
export const ContinueButton = ({ submitting, onClick }: { submitting: boolean; onClick?: () => void }) => (
  <>
    <button
      type={onClick ? 'button' : 'submit'}
      class="primary-button"
      disabled={submitting}
      onClick={onClick}
    >
      {submitting && <span class="spinner-icon" aria-hidden="true" />}
      {t.continue}
    </button>
    <span class="visually-hidden" role="status">
      {submitting && t.loading}
    </span>
  </>
);
