// Calls the application's callbacks. Errors in them are reported to the application and never stop the widget.
import type { ConnectCallbacks } from './types.ts';

/** Runs a callback and reports its error. */
export const runCallback = (callback: () => void): void => {
  try {
    callback();
  } catch (error) {
    // React Native has no reportError, but reports errors that timers throw.
    if (typeof reportError === 'function') reportError(error);
    else
      setTimeout(() => {
        throw error;
      });
  }
};

/** Calls `onError`, or logs to the console if there is none. */
export const reportLoadError = ({ onError }: ConnectCallbacks, error: Error): void => {
  if (onError) runCallback(() => onError(error));
  else console.error(error.message);
};
