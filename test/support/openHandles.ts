// What would keep this process alive, counted by kind: a test file that ends with more than it began with has
// left a server, a connection, a child or a timer open.

/** Kinds that come and go by themselves: a file being read, a name being looked up. */
const transientKinds =
  /^(FSReq|GetAddrInfo|Zlib|Immediate|WriteWrap|ShutdownWrap|TCPConnectWrap|CloseReq|RandomBytes|PromiseReject)/;

export type HandleCounts = Map<string, number>;

/** How much of each kind is open now. */
export const countOpenHandles = (): HandleCounts => {
  // The standard streams open when they are first named; they are nobody's leftover.
  void [process.stdin, process.stdout, process.stderr];
  const counts: HandleCounts = new Map();
  for (const kind of process.getActiveResourcesInfo()) {
    if (!transientKinds.test(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
};

/** What is open in `after` and was not in `before`, for example `['TCPServerWrap × 1']`. */
export const newHandles = (before: HandleCounts, after: HandleCounts): string[] =>
  [...after]
    .map(([kind, count]) => ({ kind, more: count - (before.get(kind) ?? 0) }))
    .filter(({ more }) => more > 0)
    .map(({ kind, more }) => `${kind} × ${more}`);

/** Waits until nothing more than before is open; throws, saying what is, when that takes too long. */
export const expectNoOpenHandles = async (before: HandleCounts, graceMs = 15_000): Promise<void> => {
  const giveUp = Date.now() + graceMs;
  for (;;) {
    const left = newHandles(before, countOpenHandles());
    if (left.length === 0) return;
    if (Date.now() > giveUp) {
      throw new Error(
        `Still open when the tests of this file had ended: ${left.join(', ')}. Close what was opened; ` +
          '`npm test -- FILE --detectAsyncLeaks` shows where that was.',
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};
