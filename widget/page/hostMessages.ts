// What a host says, taken apart: whatever the way it came, only what has the expected form is passed on.
import type { HostMessage } from '../protocol.ts';

type Kind = HostMessage['kind'];

export type HostMessageHandlers = { [K in Kind]: (message: HostMessage & { kind: K }) => void };

const stringOrUndefined = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** Calls the one that a message is for. A message of an unknown kind is not heard. */
export const dispatchHostMessage = (message: HostMessage, on: HostMessageHandlers): void => {
  const run = Number((message as { run?: number }).run);
  switch (message.kind) {
    case 'hello':
      on.hello({ kind: 'hello', language: stringOrUndefined(message.language), theme: message.theme });
      break;
    case 'open':
      on.open({
        kind: 'open',
        run,
        externalUserId: stringOrUndefined(message.externalUserId),
        userSignature: stringOrUndefined(message.userSignature),
        connectionId: stringOrUndefined(message.connectionId),
        institutionId: stringOrUndefined(message.institutionId),
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
