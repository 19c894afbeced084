// Calls the application's callbacks. An error in a callback is reported to the application and never stops the widget.
import type { ConnectCallbacks } from './types.ts';

/** Runs a callback of the application and reports its error. */
export const runCallback = (callback: () => void): void => {
  try {
    callback();
  } catch (error) {
    // React Native has no reportError; it reports an error that a timer throws.
    if (typeof reportError === 'function') reportError(error);
    else
      setTimeout(() => {
        throw error;
      });
  }
};

/** Calls `onError`, or logs to the console if there is no such callback. */
export const reportLoadError = ({ onError }: ConnectCallbacks, error: Error): void => {
  if (onError) runCallback(() => onError(error));
  else console.error(error.message);
};
