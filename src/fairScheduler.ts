// Long work in pieces, one piece for each round of the event loop however many have some: so whoever asks for little
// waits for one piece at most, and those who ask for much share what is left.

/** Resolves when the next piece may be made. */
export type YieldTurn = () => Promise<void>;

/** Turns of one process, first come, first served. */
export const makeFairScheduler = (): YieldTurn => {
  const waiting: (() => void)[] = [];
  const giveNext = (): void => {
    waiting.shift()!();
    if (waiting.length > 0) setImmediate(giveNext);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(giveNext);
    });
};
