// An event in the life of a connection.
import type { components } from '../../generated/dashboard.ts';

type Shown = components['schemas']['ConnectionEvent'];
export type EventKind = Shown['kind'];

/** Who asked for it. */
export type By = NonNullable<Shown['by']>;

export type ConnectionEvent = { at: string; kind: EventKind; reason: string | null; by: By | null };
