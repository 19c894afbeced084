// Sends requests on a separate thread, so that they do not delay the measurements of the main thread.
import { workerData } from 'node:worker_threads';
import { type Load, type LoadRequest, runLoad } from './httpLoad.ts';

const { requests, load } = workerData as { requests: LoadRequest[]; load: Load };
await runLoad(requests, load);
