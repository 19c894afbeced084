// `secrets rotate` replaces each secret while the service runs. Existing values stay valid until they are replaced, re-encrypted,
// re-signed or revoked; then the old version is retired and opens, signs and verifies nothing.
import { once } from 'node:events';
import { copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { signUser } from '../../client/index.ts';
import { createManagementClient } from '../../client/management.ts';
import { createApiKey } from '../../src/domain/applications/apiKeys.ts';
import { createIdentitySecret } from '../../src/domain/applications/applications.ts';
import { findApplication } from '../../src/domain/applications/store.ts';
import { byOperator, operatorActor } from '../../src/domain/audit/by.ts';
import { sealedToWorker } from '../../src/domain/connections/store.ts';
import { makeDatabaseStorage } from '../../src/domain/institutions/sandbox/databaseStorage.ts';
import { loadFile } from '../../src/domain/institutions/sandbox/loadFile.ts';
import { deriveSandboxKeys, type SandboxKeys } from '../../src/domain/institutions/sandbox/rowEncryption.ts';
import { signEndUser } from '../../src/domain/users/endUser.ts';
import { startWorker, type Worker, type WorkerLog } from '../../src/flows/refresh/worker.ts';
import { secretNames } from '../../src/operations/secrets/names.ts';
import { rotateSecret } from '../../src/operations/secrets/rotation.ts';
import { findRenewable, type RenewableColumn, replaceUnchanged } from '../../src/platform/db/renewable.ts';
import { addMilliseconds, days } from '../../src/platform/values/clock.ts';
import { deriveKeyPair } from '../../src/platform/vault/keys.ts';
import type { Keyset } from '../../src/platform/vault/keyset.ts';
import { sealForWorker, unsealBox } from '../../src/platform/vault/seal.ts';
import { deriveSigningKeys } from '../../src/platform/vault/sign.ts';
import { createMember, createToken } from '../http/dashboard/users.ts';
import { requestWidgetApi } from '../linking/fixture.ts';
import { runInCliServer, spawnCli } from '../support/cli.ts';
import { databases } from '../support/databases.ts';
import { keysetOf } from '../support/keysetOf.ts';
import { northBank } from '../support/scriptedConnector.ts';
import { driveToImport, hostOrigin, link, openLinkSession } from '../support/testService.ts';
import {
  type RotationFixture,
  type RotationResult,
  startRotationFixture,
  startSecondProcess,
  withDirectory,
} from './fixture.ts';

type List = { secrets: { name: string; keyId: string; state: string; use?: Record<string, unknown> }[] };

/** Creates an identity secret for an application, as its owner does in the dashboard. */
const makeIdentitySecret = async ({ service }: RotationFixture, applicationId: string): Promise<string> => {
  const { db, secrets, clock } = service.service;
  const application = (await findApplication(db.read, applicationId))!;
  const by = byOperator(application.organizationId, clock.real());
  return (await createIdentitySecret(db, secrets.identity, application, by)).secret;
};

/** The status of opening the widget for a signed user id. */
const openAsSigned = async (url: string, applicationId: string, secret: string): Promise<number> => {
  const body = {
    ...{ applicationId, origin: hostOrigin, externalUserId: 'ann' },
    userSignature: signUser(secret, { externalUserId: 'ann' }),
  };
  return (await requestWidgetApi({ url }, '', { method: 'POST', body })).status;
};

const readSecret = async ({ service }: RotationFixture, name: string): Promise<Buffer> =>
  Buffer.from((await readFile(join(service.service.config.secretsDir, name), 'utf8')).trim(), 'base64url');

for (const database of databases) {
  // They take many seconds and differ little between databases, so they run on all databases only with TEST_ALL.
  const isPlayed = database === databases[0] || process.env.TEST_ALL;
  describe.runIf(isPlayed)(`on ${database.name}`, () => {
    let fixture: RotationFixture;
    let restartedWorker: Worker | undefined;
    beforeAll(async () => {
      fixture = await startRotationFixture(database);
    });
    afterAll(async () => {
      await restartedWorker?.stop();
      await fixture?.service.close();
    });

    const currentId = async (name: string): Promise<string> =>
      (await fixture.versions(name)).find(({ state }) => state === 'current')!.keyId;

    const statusWith = async (apiKey: string): Promise<number> => {
      const path = { connectionId: 'con_0123456789012345678901' };
      const client = fixture.service.client(undefined, apiKey);
      return (await client.GET('/connections/{connectionId}', { params: { path } })).response.status;
    };

    test('an API key from before stays valid until it is revoked; then the old version is retired', async () => {
      const { service, secrets } = fixture;
      const { id: applicationId } = service.application;
      const old = await service.addKey(applicationId);
      const keyUntil = (expiresAt: Date) => {
        const request = { applicationId, name: 'test', expiresAt };
        const by = { actor: operatorActor, now: new Date() };
        return createApiKey(service.service.db, service.service.apiKeySigner, request, by);
      };
      const expiring = await keyUntil(addMilliseconds(new Date(), days(1)));
      await keyUntil(addMilliseconds(new Date(), -days(1)));
      const before = await currentId('api-keys');
      const rotated = await secrets('rotate', 'api-keys');
      expect(rotated.keyId).toBe(await currentId('api-keys'));
      expect(rotated.kept).toEqual([{ keyId: before, use: { apiKeys: 3 } }]);
      expect(await statusWith(old.apiKey)).toBe(404);
      expect(await statusWith(expiring.apiKey)).toBe(404);
      const created = await service.addKey(applicationId);
      expect(await statusWith(created.apiKey)).toBe(404);

      const list = await secrets<List>('list');
      expect(list.secrets.filter(({ name }) => name === 'api-keys')).toMatchObject([
        { keyId: before, state: 'retiring', use: { apiKeys: 3 } },
        { keyId: rotated.keyId, state: 'current' },
      ]);
      const revoke = (keyId: string) => runInCliServer(fixture.settings, 'api-keys', 'revoke', keyId);
      await revoke(old.keyId);
      expect(await statusWith(old.apiKey)).toBe(401);
      await revoke(expiring.keyId);
      expect(await secrets('retire', 'api-keys')).toMatchObject({
        retired: [],
        kept: [{ use: { apiKeys: 1 } }],
      });
      await revoke(service.application.keyId);
      expect(await secrets('retire', 'api-keys')).toMatchObject({
        ...{ retired: [before], kept: [], removedFiles: ['api-keys'] },
      });
      expect(await fixture.files('api-keys')).toEqual([`api-keys.${rotated.keyId}`]);
      expect(await statusWith(created.apiKey)).toBe(404);
      service.application.apiKey = created.apiKey;
    });

    test('an organization token from before stays valid until it is revoked; then the old version is retired', async () => {
      const { service, secrets } = fixture;
      const owner = await createMember(service, { role: 'owner', email: 'owner@example.com' });
      const { organizationId } = service;
      const { token, secret } = await createToken(owner, organizationId);
      const status = async () => {
        const management = createManagementClient({ baseUrl: service.url, token: secret, retries: 0 });
        const params = { path: { organizationId } };
        const path = '/management/organizations/{organizationId}/sandbox';
        return (await management.GET(path, { params })).response.status;
      };
      const before = await currentId('api-keys');
      const rotated = await secrets('rotate', 'api-keys');
      expect(rotated.kept).toEqual([{ keyId: before, use: { apiKeys: 1, organizationTokens: 1 } }]);
      expect(await status()).toBe(200);
      service.application.apiKey = (await service.addKey(service.application.id)).apiKey;
      const keys = await service.service.db
        .read('api_keys')
        .where({ signingSecretId: before, revokedAt: null });
      for (const { id } of keys) await runInCliServer(fixture.settings, 'api-keys', 'revoke', id);
      expect(await secrets('retire', 'api-keys')).toMatchObject({
        kept: [{ use: { apiKeys: 0, organizationTokens: 1 } }],
      });
      const params = { path: { organizationId, tokenId: token.id } };
      await owner.client.DELETE('/management/organizations/{organizationId}/tokens/{tokenId}', { params });
      expect(await secrets('retire', 'api-keys')).toMatchObject({ retired: [before], kept: [] });
      expect(await status()).toBe(401);
    });

    test('an application keeps its identity secret until it gets a new one', async () => {
      const { service, secrets } = fixture;
      const { id } = await service.addApplication();
      const old = await makeIdentitySecret(fixture, id);
      expect(await openAsSigned(service.url, id, old)).toBe(201);
      // The identity secret does not derive from the secret that signs API keys.
      await secrets('rotate', 'api-keys');
      expect(await openAsSigned(service.url, id, old)).toBe(201);
      const rotated = await secrets('rotate', 'identity');
      expect(rotated.kept).toMatchObject([{ use: { applications: 1 } }]);
      expect(await openAsSigned(service.url, id, old)).toBe(201);
      const renewed = await makeIdentitySecret(fixture, id);
      expect(await openAsSigned(service.url, id, old)).toBe(403);
      expect(await openAsSigned(service.url, id, renewed)).toBe(201);
      expect(await secrets('retire', 'identity')).toMatchObject({ removedFiles: ['identity'], kept: [] });
      expect(await openAsSigned(service.url, id, renewed)).toBe(201);
    });

    test('a page cursor from before the rotation is valid for a day', async () => {
      const { service, secrets } = fixture;
      const { scopedToken, accounts } = await link(service, { username: 'usd' });
      const params = { path: { accountId: accounts[0]!.id } };
      const readPage = (cursor?: string) =>
        service.client(scopedToken).GET('/accounts/{accountId}/transactions', {
          params: { ...params, query: { limit: 3, cursor } },
        });
      const { nextCursor } = (await readPage()).data!.pagination;
      expect(nextCursor).toBeTypeOf('string');
      const rotated = await secrets('rotate', 'cursors');
      expect(rotated.kept).toHaveLength(1);
      expect((await readPage(nextCursor)).response.status).toBe(200);
      expect(await secrets('retire', 'cursors')).toMatchObject({ retired: [] });
      const aDayAgo = addMilliseconds(new Date(), -days(1)).toISOString();
      await service.service.db
        .write('service_secrets')
        .where({ name: 'cursors', state: 'retiring' })
        .update({ changedAt: aDayAgo });
      expect(await secrets('retire', 'cursors')).toMatchObject({ kept: [], removedFiles: ['cursors'] });
      const isRefused = async () => (await readPage(nextCursor)).response.status === 400;
      await vi.waitUntil(isRefused, { timeout: 5000, interval: 20 });
    });

    test('the old key of the worker opens nothing, and refreshes and pending imports continue', async () => {
      const { service, secrets, refresh } = fixture;
      const { db, worker, jobHandlers, clock, registry, config, log } = service.service;
      const { connectionId } = await link(service, { username: 'usd' });
      await worker!.stop();
      const pending = await openLinkSession(service);
      await driveToImport(pending);
      const old = deriveKeyPair(await readSecret(fixture, 'worker'));
      const countOpened = async (): Promise<number> => {
        const boxes = [
          ...(await db.read('connections').whereNotNull('credentials').pluck('credentials')),
          ...(await db.read('connections').whereNotNull('credentials').pluck('fingerprintKey')),
          ...(await db
            .read('link_sessions')
            .whereNotNull('importRequestSealed')
            .pluck('importRequestSealed')),
        ] as Buffer[];
        const opens = (box: Buffer): boolean => {
          try {
            return unsealBox(old, box).length > 0;
          } catch {
            return false;
          }
        };
        return boxes.filter(opens).length;
      };
      const before = await countOpened();
      expect(before).toBeGreaterThan(1);
      const rotated = await secrets('rotate', 'worker');
      expect(rotated).toMatchObject({
        ...{ rows: { renewed: before, invalid: 0 }, removedFiles: ['worker', 'worker.pub'], kept: [] },
      });
      expect(await countOpened()).toBe(0);
      const workerLog: WorkerLog = {
        done: () => {},
        failed: (_, err) => log.error({ err }),
        dropped: () => {},
        queueFailed: (err) => log.error({ err }),
      };
      restartedWorker = startWorker(
        { db, clock, registry, limits: config.limits, log: workerLog },
        jobHandlers!,
      );
      expect((await pending.waitForImport()).state).toBe('finished');
      expect(await refresh(connectionId)).toBeNull();
    });

    test('a refresh that began before a rotation ends after it, without restoring old credentials', async () => {
      const { service, connector, secrets, refresh } = fixture;
      const { id: applicationId } = await service.addApplication({ environment: 'production' });
      const linked = await link(service, { applicationId, institutionId: northBank, username: 'ada' });
      const release = connector.hold('ada', 'history');
      const { history } = connector.callsOf('ada');
      const running = refresh(linked.connectionId);
      await vi.waitUntil(() => connector.callsOf('ada').history > history, { timeout: 10_000, interval: 5 });
      await secrets('rotate', 'worker');
      release();
      expect(await running).toBeNull();
      expect(await refresh(linked.connectionId)).toBeNull();
    });

    test('data that is deleted after a rotation has read it does not come back', async () => {
      const { service } = fixture;
      const { db } = service.service;
      const { connectionId, scopedToken } = await link(service, { username: 'usd' });
      const rowOf = async (column: RenewableColumn) => {
        const rows = await findRenewable<{ id: string }>(db.read, column, { after: undefined, limit: 1000 });
        return rows.find(({ id }) => id === connectionId)!;
      };
      const [credentials, key] = await Promise.all(sealedToWorker.map(rowOf));
      const params = { path: { connectionId } };
      await service.client(scopedToken).DELETE('/connections/{connectionId}', { params });
      const resealed = Buffer.from('resealed');
      await replaceUnchanged(db.write, sealedToWorker[0], credentials!, { credentials: resealed });
      await replaceUnchanged(db.write, sealedToWorker[1], key!, { fingerprintKey: resealed });
      const row = db.read('connections').where({ id: connectionId });
      const after = await row.first('credentials', 'fingerprintKey');
      expect(after).toEqual({ credentials: null, fingerprintKey: null });
    });

    test('old signatures are refused, and a row that something else has changed stays unchanged', async () => {
      const { service, secrets, refresh } = fixture;
      const { db } = service.service;
      const changed = await link(service, { username: 'usd' });
      const forged = await link(service, { username: 'usd' });
      const old = deriveSigningKeys(await readSecret(fixture, 'row-signing'));
      const { endUserId } = (await db.read('connections').where({ id: forged.connectionId }).first())!;
      const where = { id: changed.connectionId };
      await db.write('connections').where(where).update({ institutionId: 'sandbox-other' });
      const rotated = await secrets('rotate', 'row-signing');
      expect(rotated).toMatchObject({
        rows: { invalid: 1 },
        removedFiles: ['row-signing', 'row-signing.pub'],
      });
      expect(rotated.rows!.renewed).toBeGreaterThan(3);

      // Verifying a signature reads `connections` and `end_users`, both in a reconnect and in a refresh.
      const reconnect = (connectionId: string) =>
        openLinkSession(service, { connectionId }).then(
          () => 'opened',
          () => 'refused',
        );
      expect(await reconnect(forged.connectionId)).toBe('opened');
      expect(await reconnect(changed.connectionId)).toBe('refused');
      const user = (await db.read('end_users').where({ endUserId }).first())!;
      expect(await refresh(forged.connectionId)).toBeNull();
      const signature = signEndUser(user, old);
      await db.write('end_users').where({ endUserId }).update({ signature });
      // The running process drops the old version at its next poll.
      await expect.poll(() => refresh(forged.connectionId)).toBe('invalid_signature');
    });

    test('after a kill while rows are re-encrypted, the next call continues and loses nothing', async () => {
      const { service, secrets, versions } = fixture;
      const { db } = service.service;
      const { connectionId } = await link(service, { username: 'usd' });
      const row = (await db.read('connections').where({ id: connectionId }).first())!;
      const ids = Array.from({ length: 2000 }, (_, at) => `con_${String(at).padStart(22, '0')}`);
      const workerKey = service.service.secrets.workerPublicKeys.current();
      const copies = ids.map((id) => ({
        ...{ ...row, id, endUserId: 'usr_0000000000000000000000' },
        credentials: sealForWorker({ values: { id } }, ['credentials', id], workerKey),
        fingerprintKey: null,
      }));
      for (let at = 0; at < copies.length; at += 500)
        await db.write('connections').insert(copies.slice(at, at + 500));
      const credentialsOf = async (id: string): Promise<Buffer> =>
        (await db.read('connections').where({ id }).first('credentials'))!.credentials!;
      const isRenewed = async (at: number): Promise<boolean> =>
        !(await credentialsOf(ids[at]!)).equals(copies[at]!.credentials);

      const killed = spawnCli(['secrets', 'rotate', 'worker'], fixture.settings);
      await vi.waitUntil(() => isRenewed(0), { timeout: 30_000, interval: 5 });
      await fixture.kill(killed);
      expect(await isRenewed(ids.length - 1)).toBe(false);
      const started = await versions('worker');
      expect(started.map(({ state }) => state)).toEqual(['replaced', 'current']);

      const { keyId, rows, kept } = await secrets('rotate', 'worker');
      expect({ keyId, kept }).toEqual({ keyId: started[1]!.keyId, kept: [] });
      expect(rows!.renewed).toBeLessThan(ids.length);
      expect(await versions('worker')).toHaveLength(1);
      const { keys } = service.service.secrets.worker!;
      for (const { id, credentials } of await db.read('connections').whereIn('id', ids.slice(0, 50))) {
        expect(JSON.parse(unsealBox(keys.current(), credentials!).toString())).toEqual({
          ...{ kind: 'credentials', ownerId: id, value: { values: { id } } },
        });
      }
      expect(await isRenewed(ids.length - 1)).toBe(true);
      await db.write('connections').where({ endUserId: 'usr_0000000000000000000000' }).delete();
    });

    test('a rotation that ends late does not retire a version that a later one is still replacing', async () => {
      const { service, versions } = fixture;
      const { db, clock, config, secrets } = service.service;
      const deps = {
        ...{ db, clock, limits: config.limits, directory: config.secretsDir, secrets },
        ...{ signal: new AbortController().signal, onWait: () => {}, recordChange: async () => {} },
      };
      const nothing = { renew: async () => undefined, findUse: async () => undefined };
      const rotate = (renew: () => Promise<undefined>) =>
        rotateSecret(deps, 'cursors', { ...nothing, renew });
      await rotate(async () => {
        // Meanwhile, another call completes this rotation, and the next rotation is killed before it renews a row.
        await rotate(nothing.renew);
        await expect(rotate(() => Promise.reject(new Error('killed')))).rejects.toThrow('killed');
        return undefined;
      });
      expect((await versions('cursors')).map(({ state }) => state)).toEqual(['replaced', 'current']);
      await rotate(nothing.renew);
      expect((await versions('cursors')).map(({ state }) => state)).toEqual(['current']);
    });

    test('waits for a process of another machine, names its missing file, and continues once that is copied', async () => {
      const { service, secrets, settings, versions } = fixture;
      const { secretsDir } = service.service.config;
      await withDirectory(async (directory) => {
        await mkdir(join(directory, 'secrets'));
        for (const name of await versionsOfServing())
          await cp(join(secretsDir, name), join(directory, 'secrets', name));
        const other = await startSecondProcess({
          settings: { ...settings, DATA_DIR: directory, SECRETS_DIR: join(directory, 'secrets') },
          worker: false,
        });
        const rotate = spawnCli(['secrets', 'rotate', 'row-signing'], settings);
        let text = '';
        rotate.stderr!.on('data', (chunk) => {
          text += chunk;
        });
        await vi.waitUntil(() => /serve --no-worker on \S+ to load/.test(text), {
          timeout: 30_000,
        });
        const closed = once(rotate, 'close');
        rotate.kill('SIGINT');
        expect(await closed).toEqual([1, null]);
        expect(text).toContain('Interrupted. Nothing is lost: run the same command again to continue.');
        const announced = (await versions('row-signing')).at(-1)!;
        expect(announced.state).toBe('announced');
        expect(text).toContain(
          `copy the file there (without the worker's secrets: row-signing.${announced.keyId}.pub)`,
        );
        const rotating = secrets('rotate', 'row-signing');
        const file = `row-signing.${announced.keyId}.pub`;
        await copyFile(join(secretsDir, file), join(directory, 'secrets', file));
        expect((await rotating).keyId).toBe(announced.keyId);
        await other.stop();
      });
    });

    const versionsOfServing = async (): Promise<string[]> => {
      const names = ['api-keys', 'identity', 'cursors', 'sandbox', 'worker', 'row-signing'];
      const files = await Promise.all(names.map((name) => fixture.files(name)));
      return files.flat().filter((file) => !/^(worker|row-signing)/.test(file) || file.endsWith('.pub'));
    };

    test('a lost version that no process has loaded is replaced, without waiting for dead processes', async () => {
      const { service, secrets, versions } = fixture;
      const { db } = service.service;
      const at = new Date().toISOString();
      const lost = { name: 'identity', ordinal: 9, keyId: 'f'.repeat(32), publicKeyId: null } as const;
      await db.write('service_secrets').insert({ ...lost, state: 'announced', createdAt: at, changedAt: at });
      const seenAt = addMilliseconds(new Date(), -61_000).toISOString();
      await db.write('processes').insert({
        ...{ id: 'died', kind: 'serve', host: 'web-1', startedAt: seenAt, seenAt },
        ...{ loadedKeyIds: '[]', usedKeyIds: '[]', schemaVersion: 1 },
      });
      const { keyId } = await secrets('rotate', 'identity');
      expect(keyId).not.toBe(lost.keyId);
      expect((await versions('identity')).map((version) => version.keyId)).not.toContain(lost.keyId);
      expect(await db.read('processes').where({ id: 'died' })).toEqual([]);
    });

    test('the sandbox bank keeps its data, and the old secret opens none of it', async () => {
      const { service, secrets, refresh } = fixture;
      const { db, secrets: current } = service.service;
      const { organizationId } = service;
      await withDirectory(async (directory) => {
        const path = join(directory, 'file.csv');
        await writeFile(
          path,
          `login,account,date,transaction,amount,balance,description,reference\nloaded,1,2001-01-01,t,1,1,D,R\n`,
        );
        const { limits } = service.service.config;
        await loadFile(db, current.sandbox, { organizationId, path, limits, now: new Date() });
      });
      const { connectionId } = await link(service, { username: 'loaded' });
      const storageWith = (keys: Keyset<SandboxKeys>) => makeDatabaseStorage(db, keys, organizationId);
      await storageWith(current.sandbox).put('some key', 'some value');
      const old = keysetOf(deriveSandboxKeys(await readSecret(fixture, 'sandbox')));
      const accounts = await storageWith(old).loadedAccounts('loaded');
      expect(accounts).toHaveLength(1);
      const tables = ['sandbox_kv', 'sandbox_logins', 'sandbox_transactions'];
      const rows = (await Promise.all(tables.map((table) => db.read(table)))).flat();
      expect(await secrets('rotate', 'sandbox')).toMatchObject({
        ...{ rows: { renewed: rows.length, invalid: 0 }, kept: [], removedFiles: ['sandbox'] },
      });
      expect(await storageWith(current.sandbox).get('some key')).toBe('some value');
      expect(await storageWith(current.sandbox).loadedAccounts('loaded')).toEqual(accounts);
      expect(await storageWith(old).get('some key')).toBeUndefined();
      expect(await storageWith(old).loadedAccounts('loaded')).toBeUndefined();
      expect(await refresh(connectionId)).toBeNull();
    });

    test('a version is not retired while data is being stored with it', async () => {
      const { service, secrets } = fixture;
      const { db, secrets: current } = service.service;
      const old = await currentId('sandbox');
      const { promise: stored, resolve: store } = Promise.withResolvers<void>();
      const storing = current.sandbox.withCurrent(() => stored);
      const rotating = secrets('rotate', 'sandbox');
      const isRotated = vi.fn();
      void rotating.then(isRotated);
      const usedOfBoth = async () => {
        const next = await currentId('sandbox');
        const used = await db.read('processes').where({ kind: 'serve' }).pluck('usedKeyIds');
        return used.flatMap((ids) => JSON.parse(ids)).filter((id) => id === next || id === old).length;
      };
      // The process has the new version, and reports that it still uses the old one.
      await expect.poll(usedOfBoth, { timeout: 30_000, interval: 20 }).toBe(2);
      expect(isRotated).not.toHaveBeenCalled();
      store();
      await storing;
      expect((await rotating).retired).toEqual([old]);
    });

    test('the audit log names each rotation, and a rotation that waits is not repeated', async () => {
      const { db } = fixture.service.service;
      const events = await db.read('audit_events').where({ action: 'secret_rotated' }).orderBy('id');
      const names = events.map(({ details }) => JSON.parse(details).name);
      expect(names).toEqual(
        expect.arrayContaining(['api-keys', 'identity', 'cursors', 'worker', 'row-signing', 'sandbox']),
      );
      const worker = await fixture.versions('worker');
      expect(names.filter((name) => name === 'worker')).toHaveLength(worker[0]!.ordinal - 1);
    });

    test('no output has a secret, and usage errors name the argument', async () => {
      const { out, err, code } = await runInCliServer(fixture.settings, 'secrets', 'list');
      expect({ code, err }).toEqual({ code: 0, err: '' });
      for (const name of await versionsOfServing())
        expect(out).not.toContain((await readSecret(fixture, name)).toString('base64url'));
      const wrong = await runInCliServer(fixture.settings, 'secrets', 'rotate', 'nothing');
      expect(wrong.code).toBe(2);
      expect(wrong.err).toContain("'nothing' is invalid for argument 'name'");
    });
  });

  test.runIf(isPlayed)(
    `under load by two processes on ${database.name} no request and no refresh fails`,
    { timeout: 240_000 },
    async () => {
      const fixture = await startRotationFixture(database);
      const { service, settings, refresh } = fixture;
      onTestFinished(service.close);
      const second = await startSecondProcess({ settings, worker: true });
      onTestFinished(second.stop);
      const urls = [service.url, second.url];
      const { id: applicationId, apiKey } = service.application;
      const identitySecret = await makeIdentitySecret(fixture, applicationId);
      const linked = await link(service, { username: 'usd' });
      let round = 0;
      const counts = { pages: 0, links: 0, refreshes: 0, signed: 0, keys: 0 };
      const failures: unknown[] = [];
      let stopped = false;
      const repeat = async (
        name: keyof typeof counts,
        run: (url: string) => Promise<void>,
      ): Promise<void> => {
        while (!stopped) {
          await run(urls[round++ % 2]!).then(
            () => counts[name]++,
            (error) => failures.push([name, error]),
          );
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      };
      const readPages = async (key: string): Promise<void> => {
        let cursor: string | undefined;
        for (let page = 0; page < 5 && (page === 0 || cursor); page++) {
          const query = new URLSearchParams({ limit: '2', ...(cursor && { cursor }) });
          const url = `${urls[page % 2]}/accounts/${linked.accounts[0]!.id}/transactions?${query}`;
          const headers = { Authorization: `Bearer ${key}`, 'X-Scoped-Token': linked.scopedToken! };
          const response = await fetch(url, { headers });
          expect(response.status).toBe(200);
          cursor = ((await response.json()) as { pagination: { nextCursor?: string } }).pagination.nextCursor;
        }
      };
      const load = [
        repeat('pages', () => readPages(apiKey)),
        repeat(
          'links',
          async (url) => void (await link({ url, application: service.application }, { username: 'usd' })),
        ),
        repeat('refreshes', async () => expect(await refresh(linked.connectionId)).toBeNull()),
        repeat('signed', async (url) =>
          expect(await openAsSigned(url, applicationId, identitySecret)).toBe(201),
        ),
        repeat('keys', async () => readPages((await service.addKey(applicationId)).apiKey)),
      ];
      const before = await service.service.db.read('service_secrets').pluck('keyId');
      for (const name of secretNames) {
        const { keyId } = await fixture.secrets<RotationResult>('rotate', name);
        expect(before).not.toContain(keyId);
      }
      const after = { ...counts };
      // More than three of each, and one of each after the rotations, even on a slow machine.
      const isEnough = (name: keyof typeof counts) => counts[name] > Math.max(after[name], 3);
      await vi.waitUntil(
        () => failures.length > 0 || (Object.keys(counts) as (keyof typeof counts)[]).every(isEnough),
        { timeout: 120_000 },
      );
      stopped = true;
      await Promise.all(load);
      expect(failures).toEqual([]);
      expect(Math.min(...Object.values(counts))).toBeGreaterThan(3);
      const failed = await service.service.db
        .read('connection_events')
        .whereIn('kind', ['refresh_failed', 'refresh_refused']);
      expect(failed).toEqual([]);
    },
  );
}
