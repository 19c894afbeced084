// Limits the total memory of concurrent tasks.

type Waiting = { tryStart(): boolean; resolve(): void };

/** Runs tasks while their expected bytes are within a limit. A task larger than that runs alone. */
export class ByteSemaphore {
  #used = 0;
  #waiting: Waiting[] = [];

  /** Runs a task as soon as its bytes fit. */
  async run<Result>(
    { bytes, bytesMax }: { bytes: number; bytesMax: number },
    task: () => Promise<Result>,
  ): Promise<Result> {
    const needed = Math.min(bytes, bytesMax);
    const tryStart = (): boolean => {
      if (this.#used + needed > bytesMax) return false;
      this.#used += needed;
      return true;
    };
    if (!tryStart()) await new Promise<void>((resolve) => this.#waiting.push({ tryStart, resolve }));
    try {
      return await task();
    } finally {
      this.#used -= needed;
      this.#waiting = this.#waiting.filter(({ tryStart, resolve }) => {
        if (!tryStart()) return true;
        resolve();
        return false;
      });
    }
  }
}
