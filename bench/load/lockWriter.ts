// Writes to a database repeatedly on a separate thread, like another process of the service. On a message, it stops and posts how
// many milliseconds each write took.
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../../src/platform/db/open.ts';

const pauseMs = 10;

const db = await openDatabase((workerData as { databaseUrl: string }).databaseUrl);
let isStopped = false;
parentPort!.once('message', () => {
  isStopped = true;
});
const waits: number[] = [];
while (!isStopped) {
  const started = performance.now();
  await db.write.raw('update organizations set name = name');
  waits.push(performance.now() - started);
  await sleep(pauseMs);
}
await db.close();
parentPort!.postMessage(waits);
