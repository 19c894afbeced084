// The link session of this tab, in the session storage of the service's origin: if the browser discards or reloads the host page,
// the next `open` for the same user continues it. Browsers keep this storage by tab, and for frames by the site around them.
// Without it, and in a native application, which has a new web view for each `open`, a session ends with its page.
import type { LinkSessionKey, NewLinkSession } from './apiClient.ts';
import { nativeOrigin } from './hostChannel.ts';

type KeptSession = LinkSessionKey & {
  /** The owner of the session, from `ownerOf`. */
  owner: string;
  /** Set when its page was unloaded; not if the browser has discarded the page. */
  left?: true;
};

const storageKey = 'link-session';

/** The application and its origin, the user and the connection in the options. */
const ownerOf = (options: NewLinkSession): string => {
  const { applicationId, origin, externalUserId, connectionId, accountSelection } = options;
  return JSON.stringify([applicationId, origin, externalUserId, connectionId, accountSelection]);
};

/** Undefined if the storage is blocked or full; the type of the error depends on the browser. */
const withStorage = <Result>(use: (storage: Storage) => Result): Result | undefined => {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
};

/** Keeps a session instead of any other. False if it cannot be kept. */
export const keepSession = (
  options: NewLinkSession,
  { id, secret }: LinkSessionKey,
  left?: true,
): boolean => {
  if (options.origin === nativeOrigin) return false;
  const kept: KeptSession = { id, secret, owner: ownerOf(options), left };
  return withStorage((storage) => storage.setItem(storageKey, JSON.stringify(kept)) ?? true) ?? false;
};

/** The kept session, whoever owns it. */
export const findKeptSession = (): KeptSession | undefined =>
  withStorage((storage) => JSON.parse(storage.getItem(storageKey) ?? 'null') ?? undefined);

export const ownsSession = (options: NewLinkSession, { owner }: KeptSession): boolean =>
  owner === ownerOf(options);

/** Forgets the session with this id, but no other. */
export const forgetSession = (id: string): void => {
  if (findKeptSession()?.id === id) withStorage((storage) => storage.removeItem(storageKey));
};
