// Labels for states of SimpleFIN accesses.
import type { SimplefinAccess } from '../api/simplefinAccesses.ts';

type Tone = 'good' | 'plain';

export const accessStateLabels: Record<SimplefinAccess['state'], { label: string; tone: Tone }> = {
  unclaimed: { label: 'Unclaimed', tone: 'plain' },
  active: { label: 'Active', tone: 'good' },
};
