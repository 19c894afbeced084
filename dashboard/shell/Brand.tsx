// The service's logo and name.
import logo from '../logo.svg';

export const Brand = () => (
  <>
    <img src={logo} alt="" width="28" height="28" />
    Bank Connection
  </>
);
