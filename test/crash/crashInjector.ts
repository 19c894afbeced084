// Kills the service once at a chosen point, inspects the database, and restarts the service.
import type { components } from '../../generated/widget.ts';
import type { Database } from '../../src/platform/db/open.ts';
import type { LinkingPageOptions, RequestKind } from '../page/linkingPage.ts';
import type { Installation } from './installation.ts';

type View = components['schemas']['LinkSessionView'];

/** The time of the kill. */
export type CrashPoint =
  /** After the service has sent a matching response, which the page does not receive. */
  | { kind: 'response lost'; request?: RequestKind; state?: View['state'] }
  /** This long after a request was sent. */
  | { kind: 'in flight'; request: RequestKind; afterMs: number }
  /** This long after the import was queued. */
  | { kind: 'import'; afterMs: number }
  /** After the connection is published, before the page polls. */
  | { kind: 'published' };

export type CrashInjector<Inspected = string> = {
  /** Kills the service unless it was already killed; resolves when the process has ended. */
  crash(): Promise<void>;
  /** Resolves with the result of `inspect` when the next process serves. */
  recovered: Promise<Inspected>;
  /** Resolves when the process has ended. */
  killed: Promise<void>;
};

/** Kills at most once. `inspect` reads the database before the service restarts. */
export const makeCrashInjector = <Inspected>(
  installation: Installation,
  inspect: (db: Database) => Promise<Inspected>,
  { repeats = 0, repeatAfterMs = 0 }: { repeats?: number; repeatAfterMs?: number } = {},
): CrashInjector<Inspected> => {
  const recovered = Promise.withResolvers<Inspected>();
  const killed = Promise.withResolvers<void>();
  recovered.promise.catch(() => {});
  let isKilled = false;
  const restart = async (): Promise<Inspected> => {
    const inspected = await installation.query(inspect);
    await installation.start();
    for (let left = repeats; left > 0; left--) {
      await new Promise((done) => setTimeout(done, repeatAfterMs));
      await installation.kill();
      await installation.start();
    }
    return inspected;
  };
  return {
    crash: () => {
      if (!isKilled) {
        isKilled = true;
        killed.resolve(installation.kill());
        killed.promise.then(restart).then(recovered.resolve, recovered.reject);
      }
      return killed.promise;
    },
    recovered: recovered.promise,
    killed: killed.promise,
  };
};

/** The hooks of a page that trigger the kill at a crash point. */
export const crashAt = (
  crashPoint: CrashPoint,
  injector: Pick<CrashInjector, 'crash'>,
  published?: () => Promise<unknown>,
): Pick<LinkingPageOptions, 'beforeRequest' | 'afterResponse'> => {
  let isPending = true;
  const kill = (): Promise<void> => {
    isPending = false;
    return injector.crash();
  };
  const killAfter = (milliseconds: number): void => {
    isPending = false;
    setTimeout(kill, milliseconds);
  };
  return {
    beforeRequest: async (request) => {
      if (isPending && crashPoint.kind === 'in flight' && crashPoint.request === request)
        killAfter(crashPoint.afterMs);
    },
    afterResponse: async (request, view) => {
      if (!isPending) return 'delivered';
      if (crashPoint.kind === 'import' && view?.state === 'importing') killAfter(crashPoint.afterMs);
      if (crashPoint.kind === 'published' && view?.state === 'importing') {
        await published?.();
        await kill();
        return 'lost';
      }
      if (crashPoint.kind !== 'response lost' || !matchesResponse(crashPoint, request, view))
        return 'delivered';
      await kill();
      return 'lost';
    },
  };
};

/** True if a response matches a request kind and a state. */
export const matchesResponse = (
  match: { request?: RequestKind; state?: View['state'] },
  request: RequestKind,
  view: View | undefined,
): boolean =>
  (match.request === undefined || match.request === request) &&
  (match.state === undefined || match.state === view?.state);
