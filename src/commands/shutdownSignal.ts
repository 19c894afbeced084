// SIGINT and SIGTERM, for commands that shut down cleanly. A second signal ends the process at once.

let shutdown: Promise<void> | undefined;

/** Resolves at SIGINT or SIGTERM. */
export const waitForShutdown = (): Promise<void> => {
  shutdown ??= new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  return shutdown;
};

/** Aborts at SIGINT or SIGTERM. */
export const shutdownSignal = (): AbortSignal => {
  const shutdown = new AbortController();
  void waitForShutdown().then(() => shutdown.abort());
  return shutdown.signal;
};
