// A spinner for waiting.

/** Appears after a delay, so that it does not flicker when the response is fast. `label` is for screen readers. */
export const Spinner = ({ label }: { label: string }) => (
  <div class="spinner" role="status">
    <span class="spinner-icon" aria-hidden="true" />
    <span class="visually-hidden">{label}</span>
  </div>
);
