// Keeps the keyset of one secret like the table of versions: loads new ones, changes the current one, drops retired ones.
import type { ServiceSecretRow } from '../db/tables.ts';
import { OperatorError } from '../errors.ts';
import { type Keyset, makeKeyset } from '../vault/keyset.ts';
import type { SecretName } from './names.ts';

/** A version whose file could not be read. */
export type UnreadableVersion = { version: ServiceSecretRow; error: OperatorError };

export type Follower<Key> = {
  name: SecretName;
  keyset: Keyset<Key>;
  /** Takes over the versions of the table. Returns those of them that could not be read. */
  update(table: readonly ServiceSecretRow[]): UnreadableVersion[];
  loadedIds(): string[];
  usedIds(): string[];
};

/** `read` reads the file of a version; it throws OperatorError. */
export const makeFollower = <Key>(
  name: SecretName,
  read: (version: ServiceSecretRow) => Key,
): Follower<Key> => {
  const keyset = makeKeyset<Key>();
  return {
    name,
    keyset,
    update: (table) => {
      const unreadable: UnreadableVersion[] = [];
      const before = keyset.versions();
      const load = (version: ServiceSecretRow) => {
        try {
          const known = before.find(({ id }) => id === version.keyId);
          return [{ id: version.keyId, key: known ? known.key : read(version), state: version.state }];
        } catch (error) {
          if (!(error instanceof OperatorError)) throw error;
          unreadable.push({ version, error });
          return [];
        }
      };
      const loaded = table.filter((version) => version.name === name).flatMap(load);
      // Until it has the file of the current version, the process goes on with the one that it uses.
      const current = loaded.find(({ state }) => state === 'current') ?? before[0];
      if (current) keyset.replace([current, ...loaded.filter(({ id }) => id !== current.id)]);
      return unreadable;
    },
    loadedIds: () => keyset.versions().map(({ id }) => id),
    usedIds: () => keyset.idsInUse(),
  };
};
