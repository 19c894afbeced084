// The public exports of the package.
export type {
  ConnectAccount,
  ConnectCallbacks,
  ConnectOptions,
  ConnectResult,
  ConnectSettings,
  ConnectTheme,
} from '@bank-connection/js';
export { ServiceConnectButton, type ServiceConnectButtonProps } from './ServiceConnectButton.tsx';
export {
  type ServiceConnectHandle,
  type ServiceConnectOptions,
  useServiceConnect,
} from './useServiceConnect.ts';
