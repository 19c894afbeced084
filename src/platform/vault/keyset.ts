// The versions of one secret. New data uses the current version; older versions still open and verify older data, until they
// are retired. Versions change while a process runs, so keys are read on each use.

/** A version of a secret; the id is safe to store and to log. */
export type KeyVersion<Key> = { id: string; key: Key };

export type Keyset<Key> = {
  /** The key for new data. Use `withCurrent` for stored data. */
  current(): Key;
  /** The keys that open and verify, the current one first. */
  all(): readonly Key[];
  /** The key of a version; undefined if it is retired. */
  find(id: string): Key | undefined;
  /**
   * Creates and stores something with the current key. Until `run` has ended, this process counts as using that version, so
   * that it is not retired before the new row can be found in the database.
   */
  withCurrent<Result>(run: (version: KeyVersion<Key>) => Promise<Result>): Promise<Result>;
};

/** A keyset whose owner changes its versions. */
export type ChangeableKeyset<Key> = Keyset<Key> & {
  versions(): readonly KeyVersion<Key>[];
  /** The first version becomes the current one. */
  replace(versions: readonly KeyVersion<Key>[]): void;
  /** The ids of the current version and of those that a `withCurrent` still uses. */
  idsInUse(): string[];
};

export const makeKeyset = <Key>(): ChangeableKeyset<Key> => {
  let versions: readonly KeyVersion<Key>[] = [];
  const running = new Set<{ id: string }>();
  return {
    current: () => versions[0]!.key,
    all: () => versions.map(({ key }) => key),
    find: (id) => versions.find((version) => version.id === id)?.key,
    withCurrent: async (run) => {
      const version = versions[0]!;
      const use = { id: version.id };
      running.add(use);
      try {
        return await run(version);
      } finally {
        running.delete(use);
      }
    },
    versions: () => versions,
    replace: (replacement) => {
      versions = replacement;
    },
    idsInUse: () => [...new Set([versions[0]!, ...running].map(({ id }) => id))],
  };
};

/** A keyset whose keys are derived from those of another keyset, each once. */
export const deriveKeyset = <Key extends object, Derived>(
  keyset: Keyset<Key>,
  derive: (key: Key) => Derived,
): Keyset<Derived> => {
  const cache = new WeakMap<Key, Derived>();
  const derived = (key: Key): Derived => {
    const result = cache.get(key) ?? derive(key);
    cache.set(key, result);
    return result;
  };
  return {
    current: () => derived(keyset.current()),
    all: () => keyset.all().map(derived),
    find: (id) => {
      const key = keyset.find(id);
      return key && derived(key);
    },
    withCurrent: (run) => keyset.withCurrent(({ id, key }) => run({ id, key: derived(key) })),
  };
};
