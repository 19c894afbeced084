// The check of setupFile.ts detects each kind of handle that a test may leave open.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { countOpenHandles, expectNoOpenHandles, newHandles } from './openHandles.ts';

test('a listening server and its connection are reported until they are closed', async () => {
  const before = countOpenHandles();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  expect(newHandles(before, countOpenHandles())).toEqual(['TCPServerWrap × 1']);
  const address = server.address();
  const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
  await once(socket, 'connect');
  expect(newHandles(before, countOpenHandles()).join()).toContain('TCPSocketWrap');
  socket.destroy();
  server.closeAllConnections();
  server.close();
  await expectNoOpenHandles(before);
});

test('a child process is seen', async () => {
  const before = countOpenHandles();
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  expect(newHandles(before, countOpenHandles()).join()).toContain('ProcessWrap');
  child.kill();
  await once(child, 'exit');
  await expectNoOpenHandles(before);
});

test('a timer is seen, and the error names it', async () => {
  const before = countOpenHandles();
  // Opens several timers, because one that the test runner opened earlier may end in the meantime.
  const timers = Array.from({ length: 20 }, () => setInterval(() => {}, 60_000));
  await expect(expectNoOpenHandles(before, 0)).rejects.toThrow(/Timeout × \d+/);
  for (const timer of timers) clearInterval(timer);
  await expectNoOpenHandles(before);
});

test('a completed fetch leaves no handle', async () => {
  const before = countOpenHandles();
  const server = createServer((_request, response) => response.end('yes')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('yes');
  server.closeAllConnections();
  server.close();
  await expectNoOpenHandles(before);
});
