// What a host says, taken apart: whatever the way it came, only what has the expected form is passed on.
import type { HostMessage } from '../messages.ts';

type Kind = HostMessage['kind'];

export type HostEvents = { [K in Kind]: (message: HostMessage & { kind: K }) => void };

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Calls the one that a message is for. A message of an unknown kind is not heard. */
export const heed = (message: HostMessage, on: HostEvents): void => {
  const run = Number((message as { run?: number }).run);
  switch (message.kind) {
    case 'hello':
      on.hello({ kind: 'hello', language: text(message.language), theme: message.theme });
      break;
    case 'open':
      on.open({
        kind: 'open',
        run,
        externalUserId: text(message.externalUserId),
        userSignature: text(message.userSignature),
        connectionId: text(message.connectionId),
        institutionId: text(message.institutionId),
      });
      break;
    case 'received':
      on.received({ kind: 'received', run });
      break;
    case 'close':
      on.close({ kind: 'close', run });
      break;
    case 'back':
      on.back({ kind: 'back', run });
  }
};
