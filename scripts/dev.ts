// `npm run dev`: the service, the widget and the dashboard at one address, from their sources. A changed page or style
// sheet is shown at once; a changed source of the service restarts it. Vite serves the pages, without the policies that
// the service sets; every other request goes to the service on a separate port.
import { spawn } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { build, createServer as createViteServer, type Rolldown, type ViteDevServer } from 'vite';

const root = join(import.meta.dirname, '..');
const port = Number(process.env.PORT ?? 3000);
const restartTimeoutMs = 15_000;

const freePort = async (): Promise<number> => {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

const servicePort = await freePort();
const server = createServer((request, response) => {
  handle(request, response).catch((error) => {
    console.error(error);
    if (!response.headersSent) response.writeHead(502, { 'Content-Type': 'text/plain' });
    response.end(String(error));
  });
});

/** Serves the pages of one folder from their sources, with a connection that notifies the browser of changes. */
const createPageServer = (configFile: string, base: string): Promise<ViteDevServer> =>
  createViteServer({
    configFile: join(root, configFile),
    base,
    cacheDir: join(root, 'node_modules/.vite', base),
    appType: 'custom',
    clearScreen: false,
    logLevel: 'warn',
    server: {
      middlewareMode: true,
      hmr: { server },
      // In a git worktree, node_modules may be a link to another folder.
      fs: { allow: [root, realpathSync(join(root, 'node_modules'))] },
    },
  });

const widget = await createPageServer('vite.config.ts', '/connect/');
const dashboard = await createPageServer('dashboard/vite.config.ts', '/dashboard/');

const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const isApi = pathname.startsWith('/connect/api/');
  if (pathname === '/connect.js') return sendLoader(response);
  if (pathname === '/connect') return sendPage(widget, request, response);
  if (pathname.startsWith('/connect/') && !isApi) return widget.middlewares(request, response);
  if (isApi || !/^\/dashboard(\/|$)/.test(pathname)) return forward(request, response);
  return request.headers.accept?.includes('text/html')
    ? sendPage(dashboard, request, response)
    : dashboard.middlewares(request, response);
};

const sendPage = async (vite: ViteDevServer, request: IncomingMessage, response: ServerResponse) => {
  const html = readFileSync(join(vite.config.root, 'index.html'), 'utf8');
  const page = await vite.transformIndexHtml('/index.html', html, request.url);
  response
    .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' })
    .end(page);
};

/** Built for each request, in less than 100 ms, because Vite cannot serve a classic script unbuilt. */
const sendLoader = async (response: ServerResponse) => {
  const configFile = join(root, 'vite.config.ts');
  const options = { configFile, mode: 'loader', logLevel: 'warn', build: { write: false } } as const;
  const [{ output }] = (await build(options)) as [Rolldown.RolldownOutput];
  const headers = { 'Content-Type': 'text/javascript', 'Cache-Control': 'no-store' };
  response.writeHead(200, { ...headers, 'Access-Control-Allow-Origin': '*' }).end(output[0].code);
};

const isListening = (): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(servicePort, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** Forwards a request to the service. While the service restarts, the request waits. */
const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const deadline = Date.now() + restartTimeoutMs;
  while (!(await isListening())) {
    if (Date.now() > deadline) throw new Error('The service did not start: see its output.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const { method, url: path, headers } = request;
  const sent = sendRequest({ port: servicePort, host: '127.0.0.1', method, path, headers }, (received) => {
    response.writeHead(received.statusCode ?? 502, received.headers);
    received.pipe(response);
  });
  sent.once('error', (error) => response.destroy(error));
  response.once('close', () => sent.destroy());
  request.pipe(sent);
};

server.listen(port, '127.0.0.1', () => {
  const env = { BASE_URL: `http://localhost:${port}`, ...process.env, PORT: String(servicePort) };
  const args = ['--watch', '--watch-preserve-output', 'src/main.ts', 'serve'];
  const service = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
  service.once('exit', (code) => process.exit(code ?? 0));
  const stop = () => service.kill();
  process.once('SIGINT', stop).once('SIGTERM', stop);
});
