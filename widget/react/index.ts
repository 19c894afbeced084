// The package's front door: everything that an application may import, and nothing else.
export type {
  ConnectAccount,
  ConnectCallbacks,
  ConnectOptions,
  ConnectResult,
  ConnectSettings,
  ConnectTheme,
} from '../types.ts';
export { ServiceConnectButton, type ServiceConnectButtonProps } from './ServiceConnectButton.tsx';
export {
  type ServiceConnectHandle,
  type ServiceConnectOptions,
  useServiceConnect,
} from './useServiceConnect.ts';
