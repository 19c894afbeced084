// SIGINT and SIGTERM, for commands that end cleanly when they are told to. A second signal does not wait.

/** Resolves when the process is told to stop. */
export const waitForShutdown = (): Promise<void> =>
  new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });

/** A signal that aborts when the process is told to stop. */
export const shutdownSignal = (): AbortSignal => {
  const stopping = new AbortController();
  void waitForShutdown().then(() => stopping.abort());
  return stopping.signal;
};
