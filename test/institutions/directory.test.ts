// Changing institutions: a connector's directory is polled daily, stored, and known to every process. Connections keep working
// when their bank is renamed or disappears.
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Connector, Institution } from '../../connectors/kit/contract.ts';
import type { ConnectorModule } from '../../connectors/kit/defineConnector.ts';
import { parseLogo } from '../../connectors/kit/logo.ts';
import { days, seconds } from '../../src/platform/values/clock.ts';
import { requestWidgetApi } from '../linking/fixture.ts';
import { png } from '../logos/files.ts';
import { certificates, key } from '../support/certificates.ts';
import { databases } from '../support/databases.ts';
import { makeScriptedConnector, scriptedAccount } from '../support/scriptedConnector.ts';
import {
  driveToEnd,
  driveToImport,
  link,
  openLinkSession,
  startService,
  type TestService,
  type TestServiceOptions,
} from '../support/testService.ts';

const wait = { timeout: 6_000, interval: 20 };
const limits = {
  ...{ afterStartSeconds: 0.01, directoryPollSeconds: 0.02, workerPollMs: 20 },
  importRetrySeconds: 0.05,
};

const bank = (id: string, more: Partial<Institution> = {}): Institution => ({
  ...{ id, name: `Bank ${id}`, ref: `ref of ${id}` },
  fields: [
    { name: 'username', label: 'Username', secret: false },
    { name: 'password', label: 'Password', secret: true },
  ],
  ...more,
});

/** A connector whose directory a test changes. */
const makeDirectory = (first: Institution[]) => {
  const scripted = makeScriptedConnector();
  scripted.setAccounts('ada', [scriptedAccount()]);
  const directory = {
    ...{ listed: first, fails: false, asked: 0 },
    /** The institution of each sign-in, with a flag for the presence of the end user. */
    signIns: [] as [id: string, ref: string | undefined, attended: boolean][],
  };
  const connector: Connector = {
    ...scripted.module.connector,
    signIn: (request, context) => {
      const { institution, attended } = request;
      directory.signIns.push([institution.id, institution.ref, attended]);
      return scripted.module.connector.signIn(request, context);
    },
  };
  const module: ConnectorModule = {
    ...{ institutions: [], connector },
    directory: async () => {
      directory.asked += 1;
      if (directory.fails) throw new Error('The provider does not answer.');
      return directory.listed;
    },
  };
  return { directory, module };
};

const start = async (options: TestServiceOptions): Promise<TestService> => {
  const service = await startService({ ...options, limits: { ...limits, ...options.limits } });
  onTestFinished(() => service.close());
  return service;
};

/** A second process of the same installation. */
const startBeside = ({ service }: TestService, options: TestServiceOptions): Promise<TestService> =>
  start({
    ...options,
    existing: { databaseUrl: service.config.databaseUrl, secretsDir: service.config.secretsDir },
  });

const startWith = async (first: Institution[], options: TestServiceOptions = {}) => {
  const { directory, module } = makeDirectory(first);
  const service = await start({ ...options, connectors: [module] });
  const { id: applicationId, apiKey } = await service.addApplication({ environment: 'production' });
  const search = makeSearch(service, applicationId);
  await expect.poll(() => search(''), wait).not.toEqual([]);
  /** Advances the clock by a day, and waits for the next poll of the directory. */
  const nextDay = async (listed: Institution[]): Promise<void> => {
    directory.listed = listed;
    const { asked } = directory;
    service.advance(days(1));
    await expect.poll(() => directory.asked, wait).toBe(asked + 1);
  };
  return { directory, module, service, applicationId, apiKey, search, nextDay };
};

type Found = { id: string; name: string; logo?: string };

/** Searches as the page of a new link session does, because the previous session ends within a day. */
const makeSearch = (service: TestService, applicationId: string) => {
  const find = async (text: string): Promise<Found[]> => {
    const session = await openLinkSession(service, { applicationId });
    await session.step({ kind: 'consent' });
    const query = text && `?search=${encodeURIComponent(text)}`;
    const { body } = await requestWidgetApi(service, `/${session.id}/institutions${query}`, session);
    return (body as { institutions: Found[] }).institutions;
  };
  const ids = async (text: string) => (await find(text)).map(({ id }) => id);
  return Object.assign(ids, { find });
};

type Linked = Awaited<ReturnType<typeof link>>;

const connectionOf = async (
  { service, apiKey }: { service: TestService; apiKey: string },
  { connectionId, scopedToken }: Linked,
) => {
  const params = { path: { connectionId } };
  const client = service.client(scopedToken, apiKey);
  return (await client.GET('/connections/{connectionId}', { params })).data!.connection;
};

describe('a directory', () => {
  test('is polled at the first start, and each sign-in has the reference of its institution', async () => {
    const { directory, service, applicationId, search } = await startWith([bank('north'), bank('south')]);
    expect(await search('')).toEqual(['north', 'south']);
    const linked = await link(service, { applicationId, institutionId: 'south', username: 'ada' });
    expect(linked.institution).toEqual({ id: 'south', name: 'Bank south' });
    service.advance(seconds(7 * 3600));
    await expect
      .poll(() => directory.signIns, wait)
      .toEqual([
        ['south', 'ref of south', true],
        ['south', 'ref of south', false],
      ]);
  });

  test('that fails or is empty changes nothing, and is polled again after an hour', async () => {
    const { directory, service, search, nextDay } = await startWith([bank('north')]);
    directory.fails = true;
    await nextDay([]);
    directory.fails = false;
    service.advance(seconds(3601));
    await expect.poll(() => directory.asked, wait).toBe(3);
    directory.listed = [bank('south')];
    expect(await search('')).toEqual(['north']);
    service.advance(seconds(3601));
    await expect.poll(() => search(''), wait).toEqual(['south']);
  });

  test('leaves out institutions that are not valid, and logs the id and the property of each', async () => {
    const lines: string[] = [];
    const wrong = [
      bank('south', { logoUrl: 'http://south.example/logo.png' }),
      bank('west', { ref: 'x'.repeat(1025) }),
      bank('north', { name: 'Another' }),
      bank('No id'),
    ];
    const { search } = await startWith([bank('north'), ...wrong], { logTo: (line) => lines.push(line) });
    expect(await search.find('')).toEqual([{ id: 'north', name: 'Bank north' }]);
    const line = lines.map((one) => JSON.parse(one)).find(({ msg }) => msg === 'institutions left out');
    expect(line).toMatchObject({ level: 40, connector: 'connector 1', count: 4 });
    expect(line.leftOut).toEqual([
      'south: a wrong logoUrl: it must be an https address',
      'west: a wrong ref: it must be a text of at most 1024 bytes',
      'north: an id listed twice',
      'No id: id is not 1 to 63 of a-z, 0-9 and "-"',
    ]);
  });

  test('lists groups and businesses, by which banks are found and described', async () => {
    const business = { audience: ['business' as const], beta: true as const, country: 'FR' };
    const { search } = await startWith([
      bank('south', { group: 'Caisse Mutuelle', audience: ['personal', 'business'] }),
      bank('north', business),
    ]);
    expect(await search('mutuelle')).toEqual(['south']);
    expect(await search.find('')).toEqual([
      { ...{ id: 'north', name: 'Bank north', country: 'FR' }, businessOnly: true, beta: true },
      { id: 'south', name: 'Bank south' },
    ]);
  });

  test('of 10,000 institutions is searched by name and code, in every process', async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => bank(`bank-${at}`, { codes: [`C${at}`] }));
    const { module, service, applicationId, search } = await startWith(many);
    const beside = await startBeside(service, { connectors: [module], worker: false });
    for (const find of [search, makeSearch(beside, applicationId)]) {
      expect((await find('c9876'))[0]).toBe('bank-9876');
      expect((await find('bank bank-99')).slice(0, 2)).toEqual(['bank-99', 'bank-990']);
      expect(await find('')).toHaveLength(50);
    }
  });
});

describe.each(databases)('a directory on $name', (database) => {
  test('is polled once a day by one of the workers, and every process knows its list', async () => {
    const { directory, module, service, applicationId, nextDay } = await startWith([bank('north')], {
      database,
    });
    const connectors = [module];
    const second = await startBeside(service, { connectors });
    const serving = await startBeside(service, { connectors, worker: false });
    const searches = [service, second, serving].map((one) => makeSearch(one, applicationId));
    expect(await Promise.all(searches.map((search) => search('')))).toEqual([
      ['north'],
      ['north'],
      ['north'],
    ]);
    second.advance(days(1));
    await nextDay([bank('north'), bank('east')]);
    for (const search of searches) await expect.poll(() => search(''), wait).toEqual(['east', 'north']);
    expect(directory.asked).toBe(2);
  });
});

describe('a bank of a directory', () => {
  const linkWith = (fixture: { service: TestService; applicationId: string }, institutionId: string) =>
    link(fixture.service, {
      ...{ applicationId: fixture.applicationId, institutionId, username: 'ada', externalUserId: 'user-1' },
    });

  test('that disappears is no longer found, and its connections keep working', async () => {
    const fixture = await startWith([bank('north'), bank('south')]);
    const { directory, module, service, applicationId, search, nextDay } = fixture;
    const linked = await linkWith(fixture, 'south');
    await nextDay([bank('north')]);
    await expect.poll(() => search('south'), wait).toEqual([]);
    await nextDay([bank('north'), bank('east')]);
    await expect.poll(() => search(''), wait).toEqual(['east', 'north']);
    await expect.poll(() => directory.signIns.at(-1), wait).toEqual(['south', 'ref of south', false]);
    const later = await startBeside(service, { connectors: [module], worker: false });
    const { institution, status } = await connectionOf({ ...fixture, service: later }, linked);
    expect({ institution, status }).toEqual({
      institution: { id: 'south', name: 'Bank south' },
      status: 'active',
    });
    const another = await openLinkSession(service, { applicationId });
    await another.step({ kind: 'consent' });
    await expect(another.step({ kind: 'selectInstitution', institutionId: 'south' })).rejects.toThrow(
      'must be the id of a listed institution',
    );
    const session = await openLinkSession(service, { applicationId, connectionId: linked.connectionId });
    expect(await driveToEnd(session, { username: 'ada' })).toMatchObject({ state: 'finished' });
  });

  test('that is renamed keeps the id of its connections, which continue with its new name and reference', async () => {
    const fixture = await startWith([bank('north')]);
    const { directory, service, applicationId, search, nextDay } = fixture;
    const linked = await linkWith(fixture, 'north');
    await nextDay([bank('union', { formerIds: ['north'] })]);
    await expect.poll(() => search('bank north'), wait).toEqual(['union']);
    // The second renaming does not list the first id again.
    await nextDay([bank('merged', { formerIds: ['union'] })]);
    await expect.poll(() => search('bank north'), wait).toEqual(['merged']);
    await nextDay([bank('merged', { name: 'Merged Bank' })]);
    await expect.poll(() => search.find('bank north'), wait).toEqual([{ id: 'merged', name: 'Merged Bank' }]);
    directory.signIns.length = 0;
    service.advance(seconds(7 * 3600));
    await expect.poll(() => directory.signIns, wait).toEqual([['merged', 'ref of merged', false]]);
    const { institution, status } = await connectionOf(fixture, linked);
    expect({ institution, status }).toEqual({
      institution: { id: 'north', name: 'Merged Bank' },
      status: 'active',
    });
    const again = await openLinkSession(service, { applicationId, externalUserId: 'user-1' });
    await driveToImport(again, { institutionId: 'merged', username: 'ada' });
    expect(await again.waitForImport()).toMatchObject({
      state: 'accounts',
      alreadyConnected: { canReconnect: true },
    });
  });

  test('of another connector is not taken over by a directory', async () => {
    const first = makeDirectory([bank('north')]);
    const other = makeDirectory([bank('north', { ref: 'of the other' }), bank('south')]);
    const service = await start({ connectors: [first.module] });
    const { id: applicationId } = await service.addApplication({ environment: 'production' });
    const search = makeSearch(service, applicationId);
    await expect.poll(() => search(''), wait).toEqual(['north']);
    const both = await startBeside(service, { connectors: [first.module, other.module] });
    const inBoth = makeSearch(both, applicationId);
    await expect.poll(() => inBoth('south'), wait).toEqual(['south']);
    await link(both, { applicationId, institutionId: 'north', username: 'ada' });
    expect(first.directory.signIns).toEqual([['north', 'ref of north', true]]);
  });
});

describe('the logo of a bank of a directory', () => {
  test('is fetched once, in the background, and served by every process; a failed one is fetched on the next day', async () => {
    const requested: string[] = [];
    let isDown = true;
    const server = createServer({ key, cert: certificates.valid }, ({ url = '' }, response) => {
      requested.push(url);
      response.writeHead(url === '/late.png' && isDown ? 503 : 200).end(png);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, certificates.valid]);
    onTestFinished(() => {
      setDefaultCACertificates(trusted);
      server.close();
    });
    const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const listed = [
      bank('north', { logoUrl: `${address}/shared.png` }),
      bank('south', { logoUrl: `${address}/shared.png` }),
      bank('west', { logoUrl: `${address}/late.png` }),
    ];
    const { module, service, applicationId, search, nextDay } = await startWith(listed, {
      env: { ALLOWED_NETWORKS: '127.0.0.1' },
    });
    const logo = `/logos/${parseLogo(png)!.hash}`;
    const logosIn = async (found: Promise<Found[]>) => (await found).map((one) => one.logo);
    await expect.poll(() => logosIn(search.find('')), wait).toEqual([logo, logo, undefined]);
    expect(requested.sort()).toEqual(['/late.png', '/shared.png']);
    isDown = false;
    await nextDay(listed);
    await expect.poll(() => logosIn(search.find('')), wait).toEqual([logo, logo, logo]);
    expect(requested.sort()).toEqual(['/late.png', '/late.png', '/shared.png']);
    const beside = await startBeside(service, { connectors: [module], worker: false });
    expect(await logosIn(makeSearch(beside, applicationId).find(''))).toEqual([logo, logo, logo]);
    const response = await fetch(`${beside.url}${logo}`);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(png);
  });

  test('is not fetched from an address that is not public', async () => {
    let requests = 0;
    const server = createServer({ key, cert: certificates.valid }, () => {
      requests += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const lines: string[] = [];
    const logoUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}/logo.png`;
    await startWith([bank('north', { logoUrl })], { logTo: (line) => lines.push(line) });
    await expect.poll(() => lines.join('\n'), wait).toContain('logos not fetched');
    expect(requests).toBe(0);
  });
});

test('a list that somebody has changed in the database is not used', async () => {
  const lines: string[] = [];
  const { service, search, nextDay } = await startWith([bank('north')], {
    logTo: (line) => lines.push(line),
  });
  const { db } = service.service;
  const { institutions } = (await db.read('directories').first('institutions'))!;
  const changed = { institutions: institutions!.replace('ref of north', 'ref of mallory'), version: 9 };
  await db.write('directories').update(changed);
  await expect.poll(() => lines.join('\n'), wait).toContain('directory not read');
  expect(await search('')).toEqual([]);
  await nextDay([bank('north')]);
  await expect.poll(() => search(''), wait).toEqual(['north']);
});

test('each connector is checked once after a start, and each problem is one log line', async () => {
  const lines: string[] = [];
  const { module } = makeDirectory([bank('north')]);
  const checks = { problem: 0, error: 0 };
  const problems = ['Register https://bank.example at the provider.', 'The key is missing.'];
  const connectors: ConnectorModule[] = [
    {
      ...module,
      check: async () => {
        checks.problem += 1;
        return problems;
      },
    },
    {
      ...{ institutions: [bank('south')], connector: module.connector },
      check: async () => {
        checks.error += 1;
        throw new Error('The provider does not answer.');
      },
    },
    { institutions: [bank('east')], connector: module.connector, check: () => new Promise(() => {}) },
    { institutions: [bank('west')], connector: module.connector, check: async () => [] },
  ];
  await start({
    connectors,
    logTo: (line) => lines.push(line),
    limits: { connectorTimeoutSeconds: 0.5 },
  });
  const linesOf = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => /^connector not/.test(msg));
  await expect.poll(() => linesOf().length, wait).toBe(3);
  const byConnector = linesOf().sort((one, other) => one.connector.localeCompare(other.connector));
  expect(byConnector).toMatchObject([
    { level: 40, connector: 'connector 1', msg: 'connector not ready', problems },
    { level: 40, connector: 'connector 2', msg: 'connector not checked' },
    { level: 40, connector: 'connector 3', msg: 'connector not checked', err: { kind: 'BankUnreachable' } },
  ]);
  expect(checks).toEqual({ problem: 1, error: 1 });
});
