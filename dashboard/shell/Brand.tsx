// The name of the service with its mark.
import mark from '../mark.svg';

export const Brand = () => (
  <>
    <img src={mark} alt="" width="28" height="28" />
    Bank Connection
  </>
);
