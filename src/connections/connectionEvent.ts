// An event in the life of a connection.
import type { components } from '../../generated/dashboard.ts';

type ConnectionEventJson = components['schemas']['ConnectionEvent'];
export type ConnectionEventKind = ConnectionEventJson['kind'];

/** Who asked for it. */
export type ConnectionEventActor = NonNullable<ConnectionEventJson['actor']>;

export type ConnectionEvent = {
  at: string;
  kind: ConnectionEventKind;
  reason: string | null;
  actor: ConnectionEventActor | null;
};
