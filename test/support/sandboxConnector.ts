// The sandbox connector on a fresh database.
import type { Connector } from '../../connectors/kit/contract.ts';
import type { SandboxStorage } from '../../connectors/sandbox/storage.ts';
import { makeConnector, organizationId, today } from '../../connectors/sandbox/test/fixture.ts';
import { insertOrganization } from '../../src/domain/applications/store.ts';
import { makeDatabaseStorage } from '../../src/domain/institutions/sandbox/databaseStorage.ts';
import {
  deriveSandboxKeys,
  type SandboxKeyset,
} from '../../src/domain/institutions/sandbox/rowEncryption.ts';
import { type Database, openDatabase } from '../../src/platform/db/open.ts';
import { makeSecret } from '../../src/platform/vault/keys.ts';
import type { DatabaseKind } from './databases.ts';
import { keysetOf } from './keysetOf.ts';

export type TestSandbox = {
  db: Database;
  secrets: SandboxKeyset;
  storageOf(organizationId: string): SandboxStorage;
  /** The storage of the organization that the functions of the connector's fixture sign in for. */
  storage: SandboxStorage;
  connector: Connector;
  close(): Promise<void>;
};

/** The sandbox connector on its own database. */
export const openSandbox = async (kind: DatabaseKind): Promise<TestSandbox> => {
  const database = await kind.create();
  const db = await openDatabase(database.url);
  const secrets = keysetOf(deriveSandboxKeys(makeSecret()));
  await insertOrganization(db.write, { id: organizationId, name: 'Tests', createdAt: today.toISOString() });
  const storageOf = (id: string) => makeDatabaseStorage(db, secrets, id);
  const connector = makeConnector(storageOf);
  const close = async (): Promise<void> => {
    await db.close();
    await database.drop();
  };
  return { db, secrets, storageOf, storage: storageOf(organizationId), connector, close };
};
