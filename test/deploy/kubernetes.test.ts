// The Kubernetes manifests: the permissions of each pod, and the references between resources.
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/platform/settings/config.ts';
import { parseYaml } from '../support/yaml.ts';
import { kubernetesFiles, readCompose, readResources, readText } from './deployFiles.ts';

const resources = readResources();
const named = (kind: string, name: string) =>
  resources.find((resource) => resource.kind === kind && resource.metadata.name === name);
const ofKind = (kind: string) => resources.filter((resource) => resource.kind === kind);

const workloads = resources.filter(({ spec }) => spec?.template);
const podOf = (name: string) => workloads.find(({ metadata }) => metadata.name === name)!.spec.template;
const containerOf = (name: string) => podOf(name).spec.containers[0];
const { port } = readConfig({});
const metrics = { name: 'metrics', containerPort: 9464 };

type Labels = Record<string, string>;
type Selector = { matchLabels?: Labels; matchExpressions?: { key: string; values: string[] }[] };

const selects = ({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''));

/** The names of the workloads whose pods a selector selects. */
const selectedBy = (selector: Selector): string[] =>
  workloads
    .filter(({ spec }) => selects(selector, spec.template.metadata.labels))
    .map(({ metadata }) => metadata.name);

const secretOf = (name: string): string =>
  podOf(name).spec.volumes.find((volume: { name: string }) => volume.name === 'secrets').secret.secretName;

test('the kustomization has every file', () => {
  const { resources: files } = parseYaml(readText('deploy/kubernetes/kustomization.yaml'));
  expect([...files, 'kustomization.yaml'].sort()).toEqual([...kubernetesFiles].sort());
});

test('only worker and prepare have the secrets of the worker', () => {
  expect(workloads.map(({ metadata: { name } }) => [name, secretOf(name)]).sort()).toEqual([
    ['prepare', 'worker-secrets'],
    ['service', 'serving-secrets'],
    ['worker', 'worker-secrets'],
  ]);
  expect(containerOf('service').args).toEqual(['serve', '--no-worker']);
  expect(containerOf('worker').args).toEqual(['worker']);
});

describe.each(['prepare', 'service', 'worker'])('%s', (name) => {
  test('runs without root and privileges, on a file system that it cannot write', () => {
    const { spec } = podOf(name);
    expect(spec.automountServiceAccountToken).toBe(false);
    expect(spec.enableServiceLinks).toBe(false);
    expect(spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(containerOf(name).securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const { requests, limits } = containerOf(name).resources;
    expect([Object.keys(requests), Object.keys(limits)]).toEqual([['cpu', 'memory'], ['memory']]);
  });

  test('mounts its volumes at the image’s directories, the secrets read-only', () => {
    const { volumeMounts } = containerOf(name);
    expect(readText('Dockerfile')).toMatch(/^ENV .*DATA_DIR=\/data$/m);
    expect(named('ConfigMap', 'settings').data.SECRETS_DIR).toBe('/secrets');
    expect(volumeMounts).toEqual([
      { name: 'secrets', mountPath: '/secrets', readOnly: true },
      { name: 'data', mountPath: '/data' },
      { name: 'temporary', mountPath: '/tmp' },
    ]);
    const volumes = podOf(name).spec.volumes.map((volume: { name: string }) => volume.name);
    expect(volumes).toEqual(['secrets', 'data', 'temporary']);
    // YAML 1.1 and 1.2 read 0440 as different numbers.
    expect(podOf(name).spec.volumes[0].secret.defaultMode).toBe(0o440);
  });
});

test('requests reach the service only from the ingress controller, at its port', () => {
  const { ports } = containerOf('service');
  expect(ports).toEqual([{ name: 'http', containerPort: port }, metrics]);
  const { livenessProbe, readinessProbe } = containerOf('service');
  expect([livenessProbe.httpGet, readinessProbe.httpGet]).toEqual([
    { path: '/health/live', port: 'http' },
    { path: '/health/ready', port: 'http' },
  ]);
  const { spec } = named('Service', 'service');
  expect(selectedBy({ matchLabels: spec.selector })).toEqual(['service']);
  expect(spec.ports[0]).toMatchObject({ name: 'http', targetPort: 'http' });
  const [rule] = named('Ingress', 'service').spec.rules;
  expect(rule.http.paths[0].backend).toEqual({ service: { name: 'service', port: { name: 'http' } } });
  expect(`https://${rule.host}`).toBe(named('ConfigMap', 'settings').data.BASE_URL);
  const admitting = ofKind('NetworkPolicy').filter((policy) => policy.spec.ingress);
  expect(admitting.map((policy) => selectedBy(policy.spec.podSelector).sort())).toEqual([
    ['service'],
    ['service', 'worker'],
  ]);
  expect(admitting[0].spec.ingress[0].ports).toEqual([{ protocol: 'TCP', port }]);
  expect(admitting[0].spec.ingress[0].from).toHaveLength(1);
});

test('nothing but Prometheus can connect to the worker, at its metrics', () => {
  expect([containerOf('worker').ports, containerOf('worker').livenessProbe]).toEqual([[metrics], undefined]);
  const [rule] = named('NetworkPolicy', 'metrics-from-prometheus').spec.ingress;
  expect(rule).toEqual({
    from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
    ports: [{ protocol: 'TCP', port: metrics.containerPort }],
  });
  expect(String(metrics.containerPort)).toBe(named('ConfigMap', 'settings').data.METRICS_PORT);
  const { podSelector, policyTypes, ...rules } = named('NetworkPolicy', 'refuse-others').spec;
  expect(selectedBy(podSelector).sort()).toEqual(['prepare', 'service', 'worker']);
  expect([policyTypes, rules]).toEqual([['Ingress', 'Egress'], {}]);
});

test('no manifest needs a shell in the image, and a stopping process serves until the ingress knows', () => {
  for (const { spec } of workloads) {
    const { lifecycle, command } = spec.template.spec.containers[0];
    expect([lifecycle, command]).toEqual([undefined, undefined]);
  }
  const { env } = containerOf('service');
  expect(env).toContainEqual({ name: 'SHUTDOWN_DELAY_SECONDS', value: '5' });
});

test('the backup reaches the database like the other processes, without any secret of the service', () => {
  const { template } = named('CronJob', 'backup').spec.jobTemplate.spec;
  const { podSelector } = named('NetworkPolicy', 'to-database-and-dns').spec;
  expect(selects(podSelector, template.metadata.labels)).toBe(true);
  expect(template.spec.volumes).toEqual([
    {
      name: 'backups',
      persistentVolumeClaim: { claimName: named('PersistentVolumeClaim', 'backups').metadata.name },
    },
  ]);
  const [image, composed] = [template.spec.containers[0].image, readCompose().services.database.image];
  expect(image).toBe(composed);
});

test('all pods reach the database and DNS, and only service and worker reach public addresses', () => {
  const database = named('NetworkPolicy', 'to-database-and-dns').spec;
  expect(selectedBy(database.podSelector)).toHaveLength(3);
  expect(
    database.egress.map(({ ports }: { ports: { port: number }[] }) => ports.map((one) => one.port)),
  ).toEqual([[5432], [53, 53]]);
  const banks = named('NetworkPolicy', 'to-banks').spec;
  expect(selectedBy(banks.podSelector).sort()).toEqual(['service', 'worker']);
  const [{ to, ports }] = banks.egress;
  expect(ports).toEqual([{ protocol: 'TCP', port: 443 }]);
  for (const { ipBlock } of to) expect(ipBlock.except.length).toBeGreaterThan(0);
});
