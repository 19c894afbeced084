// The sandbox's storage in memory, for tests without a service. It has no loaded logins.
import { BankUnreachable } from '@bank-connection/connector-kit';
import type { SandboxStorage } from '../storage.ts';

/** Empty storages, one per organization. */
export const makeMemoryStorage = (): ((organizationId: string) => SandboxStorage) => {
  const storages = new Map<string, SandboxStorage>();
  return (organizationId) => {
    const storage = storages.get(organizationId) ?? makeEmpty();
    storages.set(organizationId, storage);
    return storage;
  };
};

const makeEmpty = (): SandboxStorage => {
  const values = new Map<string, string>();
  const lists = new Map<string, string[]>();
  return {
    get: async (key) => values.get(key),
    put: async (key, value) => {
      values.set(key, value);
    },
    append: async (key, value) => {
      const list = [...(lists.get(key) ?? []), value];
      lists.set(key, list);
      return list.length;
    },
    list: async (key, length) => lists.get(key)?.slice(0, length) ?? [],
    loadedAccounts: async () => undefined,
    loadedTransactions: async () => {
      throw new BankUnreachable('incomplete');
    },
  };
};
