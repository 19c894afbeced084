// A wait whose end is not known. It shows itself only after a moment, so that a quick answer does not flicker.

/** With the reason for the wait in words. */
export const Spinner = ({ label }: { label: string }) => (
  <div class="spinner" role="status">
    <span class="wheel" aria-hidden="true" />
    <span class="unseen">{label}</span>
  </div>
);
