// The systemd units: users, secrets, and sandboxing options. `systemd-analyze verify` checks the rest (bench/results/drills.md).
import { expect, test } from 'vitest';
import { readText, readUnit } from './deployFiles.ts';

const [prepare, service, worker] = ['prepare', 'service', 'worker'].map((name) =>
  readUnit(`bank-connection-${name}`),
) as [ReturnType<typeof readUnit>, ReturnType<typeof readUnit>, ReturnType<typeof readUnit>];

const secretsDirOf = (unit: typeof service): string | undefined =>
  /SECRETS_DIR=(\S+)/.exec(unit.get('Environment')!.join(' '))?.[1];

test('the service and the worker run as different users, and the service cannot read the worker’s secrets', () => {
  expect(service.get('User')).not.toEqual(worker.get('User'));
  expect(secretsDirOf(worker)).toBe(secretsDirOf(prepare));
  expect(service.get('InaccessiblePaths')).toEqual([secretsDirOf(worker)]);
  expect(secretsDirOf(service)).toBe('/var/lib/bank-connection/serving-secrets');
  expect(service.get('SupplementaryGroups')).toBeUndefined();
});

test('each directory of secrets belongs to the user of the worker, the second to the group of the service', () => {
  const directories = readText('deploy/systemd/bank-connection.tmpfiles.conf').match(/^d .*secrets .*$/gm);
  expect(directories).toEqual([
    `d ${secretsDirOf(worker)} 0700 ${worker.get('User')} ${worker.get('User')}`,
    `d ${secretsDirOf(service)} 2750 ${worker.get('User')} ${service.get('User')}`,
  ]);
  const users = [...readText('deploy/systemd/bank-connection.sysusers.conf').matchAll(/^u (\S+)/gm)];
  expect(users.map(([, name]) => name)).toEqual([...service.get('User')!, ...worker.get('User')!]);
});

test('each unit runs its command, and the others wait for the first', () => {
  const command = (unit: typeof service) => unit.get('ExecStart')![0]!.split(' node src/main.ts ')[1];
  expect([prepare, service, worker].map(command)).toEqual([
    `secrets export ${secretsDirOf(service)}`,
    'serve --no-worker',
    'worker',
  ]);
  for (const unit of [service, worker]) {
    expect(unit.get('Requires')).toEqual(['bank-connection-prepare.service']);
    expect(unit.get('After')![0]).toContain('bank-connection-prepare.service');
  }
});

const limiting =
  /^(Protect|Private|Restrict|NoNewPrivileges|Capability|Ambient|SystemCall|UMask|LimitCORE|Lock|Keyring)/;

test('all units have the same sandboxing options, and only the worker’s metrics can be read', () => {
  const options = (unit: typeof service) => [...unit].filter(([name]) => limiting.test(name));
  expect(options(prepare)).toEqual(options(service));
  expect(options(worker)).toEqual(options(service));
  expect(Object.fromEntries(options(service))).toMatchObject({
    NoNewPrivileges: ['yes'],
    CapabilityBoundingSet: [''],
    ProtectSystem: ['strict'],
    // No core dumps, because they contain secrets.
    LimitCORE: ['0'],
  });
  const metricsPortOf = (unit: typeof service) =>
    /METRICS_PORT=(\d+)/.exec(unit.get('Environment')!.join(' '))?.[1];
  expect(metricsPortOf(service)).not.toBe(metricsPortOf(worker));
  expect(worker.get('SocketBindAllow')).toEqual([`ipv4:tcp:${metricsPortOf(worker)}`]);
  expect(worker.get('SocketBindDeny')).toEqual(['any']);
});
