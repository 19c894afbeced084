// Tasks that a response does not wait for, but a stopping process does.

export type BackgroundTasks = {
  /** Tracks a running task. Its failure is passed to `onFailure`. */
  start(task: Promise<void>): void;
  /** Waits for all tasks. */
  drain(): Promise<void>;
};

export const makeBackgroundTasks = (onFailure: (error: unknown) => void): BackgroundTasks => {
  const running = new Set<Promise<void>>();
  return {
    start: (task) => {
      const tracked = task.catch(onFailure).finally(() => running.delete(tracked));
      running.add(tracked);
    },
    drain: async () => {
      await Promise.all(running);
    },
  };
};
