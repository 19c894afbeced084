// Sample SimpleFIN accesses of several users: some are in use, one was never used, one is unclaimed.
import { claimAccessUrl, createSetupToken, readSet } from '../simplefin/fixture.ts';

type SampleTarget = { url: string; apiKey: string; scopedTokens: readonly string[] };

const samples = [
  { label: 'Firefly III', isClaimed: true, isUsed: false },
  { label: 'Home Assistant', isClaimed: true, isUsed: true },
  { label: 'Actual Budget', isClaimed: true, isUsed: true },
  { label: 'Sure', isClaimed: false, isUsed: false },
];

/** Creates them for the users of the scoped tokens in turn. */
export const createSampleAccesses = async ({ url, apiKey, scopedTokens }: SampleTarget): Promise<void> => {
  for (const [at, { label, isClaimed, isUsed }] of samples.entries()) {
    const scopedToken = scopedTokens[at % scopedTokens.length]!;
    const setupToken = await createSetupToken({ url, apiKey, scopedToken }, { label, allAccounts: true });
    if (!isClaimed) continue;
    const accessUrl = await claimAccessUrl(setupToken);
    if (isUsed) await readSet(accessUrl);
  }
};
