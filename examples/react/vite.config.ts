// Vite serves and builds the application. A small backend in its development server stores the token.
import { json } from 'node:stream/consumers';
import { defineConfig, type Plugin } from 'vite';

const { BASE_URL = 'http://localhost:3000', APPLICATION_ID = '', PORT = '4000' } = process.env;

/** In your own backend, store tokens encrypted in the database, with the signed-in user. */
const tokens = new Map<string, string>();

const backend: Plugin = {
  name: 'backend',
  configureServer(server) {
    server.middlewares.use('/connected', async (request, response) => {
      // Refuses requests from other sites.
      if (request.method !== 'POST' || request.headers['sec-fetch-site'] !== 'same-origin')
        return response.writeHead(403).end();
      const { connectionId, scopedToken } = (await json(request)) as Record<string, string>;
      if (connectionId && scopedToken) tokens.set(connectionId, scopedToken);
      console.log(`${connectionId}: token stored (${tokens.size} in total)`);
      return response.writeHead(204).end();
    });
    server.httpServer?.once('listening', () => console.log(`Open http://localhost:${PORT}`));
  },
};

export default defineConfig({
  define: { BASE_URL: JSON.stringify(BASE_URL), APPLICATION_ID: JSON.stringify(APPLICATION_ID) },
  server: { host: '127.0.0.1', port: Number(PORT), strictPort: true },
  plugins: [backend],
});
