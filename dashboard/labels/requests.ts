// Labels for outcomes of requests.
import type { RequestOutcome } from '../api/requests.ts';

type Tone = 'good' | 'warn' | 'bad';

export const outcomeLabels: Record<RequestOutcome, { label: string; tone: Tone }> = {
  succeeded: { label: 'Succeeded', tone: 'good' },
  refused: { label: 'Refused (4xx)', tone: 'warn' },
  failed: { label: 'Failed (5xx)', tone: 'bad' },
};
