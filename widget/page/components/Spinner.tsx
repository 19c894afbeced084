// A spinner for while the page waits.

/** Appears after a delay, so that a fast response does not flicker. `label` is for screen readers. */
export const Spinner = ({ label }: { label: string }) => (
  <div class="spinner" role="status">
    <span class="spinner-icon" aria-hidden="true" />
    <span class="visually-hidden">{label}</span>
  </div>
);
