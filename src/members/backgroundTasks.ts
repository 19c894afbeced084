// What an answer does not wait for, and a process that stops does.

export type BackgroundTasks = {
  /** Lets `work` go on by itself. Its failure is reported. */
  start(work: Promise<void>): void;
  /** When all that has begun is done. */
  drain(): Promise<void>;
};

/** Keeps hold of work until it is done; `onFailure` is told what became of the rest. */
export const makeBackgroundTasks = (onFailure: (error: unknown) => void): BackgroundTasks => {
  const going = new Set<Promise<void>>();
  return {
    start: (work) => {
      const one = work.catch(onFailure).finally(() => going.delete(one));
      going.add(one);
    },
    drain: async () => {
      await Promise.all(going);
    },
  };
};
