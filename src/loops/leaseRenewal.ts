// Renews the lease on something that a process is working on, while it works.
import { seconds } from '../clock.ts';

/**
 * Calls `renew` three times during each lease, until the returned function is called; `onLost` each time that it returns
 * false. A renewal that throws does not mean that the lease is lost: the next one tries again.
 */
export const keepRenewing = (
  leaseSeconds: number,
  renew: () => Promise<boolean>,
  onLost: () => void,
): (() => void) => {
  const renewal = setInterval(async () => {
    if (!(await renew().catch(() => true))) onLost();
  }, seconds(leaseSeconds) / 3);
  return () => clearInterval(renewal);
};
