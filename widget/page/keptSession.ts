// This tab's link session, in the session storage of the service's origin. If the browser discards or reloads the host page, the
// next `open` for the same user continues it. Browsers separate this storage by tab and, in frames, by the enclosing site. A
// session ends with its page if there is no such storage, or in a native application, where each `open` has a new web view.
import type { LinkSessionKey, NewLinkSession } from './apiClient.ts';
import { nativeOrigin } from './hostChannel.ts';

type KeptSession = LinkSessionKey & {
  /** The owner of the session, from `ownerOf`. */
  owner: string;
  /** Set when its page was unloaded, but not if the browser discarded the page. */
  left?: true;
};

const storageKey = 'link-session';

/** The application, its origin, and the user and connection in the options. */
const ownerOf = (options: NewLinkSession): string => {
  const { applicationId, origin, externalUserId, connectionId, accountSelection } = options;
  return JSON.stringify([applicationId, origin, externalUserId, connectionId, accountSelection]);
};

/** Undefined if the storage is blocked or full. Browsers throw different types of errors. */
const withStorage = <Result>(use: (storage: Storage) => Result): Result | undefined => {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
};

/** Stores a session in place of any other. False if it cannot be stored. */
export const keepSession = (
  options: NewLinkSession,
  { id, secret }: LinkSessionKey,
  left?: true,
): boolean => {
  if (options.origin === nativeOrigin) return false;
  const kept: KeptSession = { id, secret, owner: ownerOf(options), left };
  return withStorage((storage) => storage.setItem(storageKey, JSON.stringify(kept)) ?? true) ?? false;
};

/** The stored session, regardless of its owner. */
export const findKeptSession = (): KeptSession | undefined =>
  withStorage((storage) => JSON.parse(storage.getItem(storageKey) ?? 'null') ?? undefined);

export const ownsSession = (options: NewLinkSession, { owner }: KeptSession): boolean =>
  owner === ownerOf(options);

/** Deletes the session with this id, but no other. */
export const forgetSession = (id: string): void => {
  if (findKeptSession()?.id === id) withStorage((storage) => storage.removeItem(storageKey));
};
