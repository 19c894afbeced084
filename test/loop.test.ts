// Background loops: stopping one waits for its current run.
import { expect, test } from 'vitest';
import { startLoop } from '../src/platform/loops/loop.ts';

test('a loop runs its task after each pause, and stopping it waits for the running task', async () => {
  const started = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let ended = 0;
  const loop = startLoop(
    () => 0,
    async () => {
      started.resolve();
      await released.promise;
      ended += 1;
    },
  );
  await started.promise;
  const stopped = loop.stop().then(() => ended);
  released.resolve();
  expect(await stopped).toBe(1);
});

test('stopping a loop ends its pause', async () => {
  const loop = startLoop(
    () => 1e9,
    () => Promise.reject(new Error('The task ran.')),
  );
  await loop.stop();
});

test('waking a loop ends its pause, and the pause after a running task', async () => {
  const started: (() => void)[] = [];
  const runs = [0, 1].map(() => new Promise<void>((resolve) => started.push(resolve)));
  const loop = startLoop(
    () => 1e9,
    async () => {
      const isFirst = started.length === 2;
      started.shift()?.();
      if (isFirst) loop.wake();
    },
  );
  loop.wake();
  await Promise.all(runs);
  await loop.stop();
});
