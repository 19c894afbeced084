// What goes wrong on the application's side of a callback is the application's to see, and never stops the widget.
import type { ConnectCallbacks } from './types.ts';

/** Runs a callback of the application. */
export const runCallback = (callback: () => void): void => {
  try {
    callback();
  } catch (error) {
    // Where the platform has no report of its own, an error outside of any call is what it does report.
    if (typeof reportError === 'function') reportError(error);
    else
      setTimeout(() => {
        throw error;
      });
  }
};

/** Tells the application that the widget could not be loaded: it, or the console where it does not listen. */
export const reportLoadError = ({ onError }: ConnectCallbacks, error: Error): void => {
  if (onError) runCallback(() => onError(error));
  else console.error(error.message);
};
