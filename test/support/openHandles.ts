// Counts the handles that keep this process alive, by kind. A test file that ends with more than it began with has left
// a server, a connection, a child process or a timer open.

/** Kinds that end on their own, such as reading a file or resolving a name. */
const transientKinds =
  /^(FSReq|GetAddrInfo|Zlib|Immediate|WriteWrap|ShutdownWrap|TCPConnectWrap|CloseReq|RandomBytes|PromiseReject)/;

export type HandleCounts = Map<string, number>;

/** The number of open handles of each kind. */
export const countOpenHandles = (): HandleCounts => {
  // The standard streams open on first use, which must not count as a leak.
  void [process.stdin, process.stdout, process.stderr];
  const counts: HandleCounts = new Map();
  for (const kind of process.getActiveResourcesInfo()) {
    if (!transientKinds.test(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
};

/** The handles in `after` that are not in `before`, for example `['TCPServerWrap × 1']`. */
export const newHandles = (before: HandleCounts, after: HandleCounts): string[] =>
  [...after]
    .map(([kind, count]) => ({ kind, more: count - (before.get(kind) ?? 0) }))
    .filter(({ more }) => more > 0)
    .map(({ kind, more }) => `${kind} × ${more}`);

/** Waits until no more handles than `before` are open; throws with their kinds after the grace period. */
export const expectNoOpenHandles = async (before: HandleCounts, graceMs = 15_000): Promise<void> => {
  const deadline = Date.now() + graceMs;
  for (;;) {
    const open = newHandles(before, countOpenHandles());
    if (open.length === 0) return;
    if (Date.now() > deadline) {
      throw new Error(
        `Still open when the tests of this file had ended: ${open.join(', ')}. Close what was opened; ` +
          '`npm test -- FILE --detectAsyncLeaks` shows where that was.',
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};
