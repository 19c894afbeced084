// The name of the service with its mark.
export const Brand = () => (
  <>
    <img src="/dashboard/mark.svg" alt="" width="28" height="28" />
    Bank Connection
  </>
);
