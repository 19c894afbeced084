// The proxy in front of the service: deploy/Caddyfile, and its service in compose.yaml.
import { expect, test } from 'vitest';
import { readConfig } from '../../src/platform/settings/config.ts';
import { readCompose, readText } from './deployFiles.ts';

const caddyfile = readText('deploy/Caddyfile');

test('the proxy closes idle connections before the service does', () => {
  const [, seconds] = /^\s*keepalive (\d+)s$/m.exec(caddyfile) ?? [];
  expect(Number(seconds)).toBeGreaterThan(0);
  expect(Number(seconds)).toBeLessThan(readConfig({}).limits.keepAliveSeconds);
});

test('the proxy logs neither addresses of requests nor headers, which have tokens', () => {
  expect(caddyfile).toMatch(/log default \{[^}]*request>uri delete\s[^}]*request>headers delete\s/);
  // An access log would be a `log` directive in the site.
  expect(caddyfile.match(/^\s*log\b/gm)).toHaveLength(1);
});

test('the proxy and the service have the same public address', () => {
  const { proxy, service } = readCompose().services;
  expect(proxy.environment.BASE_URL).toBe(service.environment.BASE_URL);
  expect(caddyfile).toContain('{$BASE_URL:https://localhost} {');
  expect(service.environment.BASE_URL).toBe(`\${BASE_URL:-https://localhost}`);
});

test('only the proxy can be reached from outside, and the database not from the proxy', () => {
  const { services, networks } = readCompose();
  const published = Object.entries<{ ports?: string[] }>(services).flatMap(([name, { ports = [] }]) =>
    ports.map((port) => `${name} ${port}`),
  );
  expect(published.filter((port) => !port.startsWith('proxy '))).toEqual(['prometheus 127.0.0.1:9090:9090']);
  expect(networks.database).toEqual({ internal: true });
  expect([services.proxy.networks, services.worker.networks, services.database.networks]).toEqual([
    ['front'],
    ['banks', 'database', 'metrics'],
    ['database'],
  ]);
  expect(services.service.environment.TRUSTED_PROXIES).toBe('uniquelocal');
});
