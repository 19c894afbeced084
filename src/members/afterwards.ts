// What an answer does not wait for, and a process that stops does.

export type Afterwards = {
  /** Lets `work` go on by itself. Its failure is reported. */
  begin(work: Promise<void>): void;
  /** When all that has begun is done. */
  finish(): Promise<void>;
};

/** Keeps hold of work until it is done; `onFailure` is told what became of the rest. */
export const makeAfterwards = (onFailure: (error: unknown) => void): Afterwards => {
  const going = new Set<Promise<void>>();
  return {
    begin: (work) => {
      const one = work.catch(onFailure).finally(() => going.delete(one));
      going.add(one);
    },
    finish: async () => {
      await Promise.all(going);
    },
  };
};
