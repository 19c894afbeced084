// Sends requests on a thread of its own, so that they do not delay what the main thread measures.
import { workerData } from 'node:worker_threads';
import { type Load, type LoadRequest, runLoad } from './httpLoad.ts';

const { requests, load } = workerData as { requests: LoadRequest[]; load: Load };
await runLoad(requests, load);
