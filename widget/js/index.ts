// The public exports of the package.
export type {
  ConnectAccount,
  ConnectCallbacks,
  ConnectError,
  ConnectEvent,
  ConnectMetadata,
  ConnectOptions,
  ConnectResult,
  ConnectSettings,
  ConnectTheme,
  ConnectWidget,
  ServiceConnect,
} from '../types.ts';
export { loadServiceConnect } from './loadServiceConnect.ts';
