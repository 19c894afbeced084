// The service as `serve` runs it, with its log at the default level, but without its rate limits, which no setting can
// lift. BENCH_APPLICATION_ID adds two pages to the server: an empty one, and one with this application's widget.
import type { RequestHandler } from 'express';
import { openServer } from '../../src/interfaces/http/listen.ts';
import { readConfig } from '../../src/platform/settings/config.ts';
import { makeLog } from '../../src/platform/telemetry/log.ts';
import { buildService } from '../../src/service.ts';

const page =
  (html: string): RequestHandler =>
  (_request, response) => {
    response.type('html').send(html);
  };

const pages = (applicationId: string): Record<string, RequestHandler> => ({
  '/empty': page('<!doctype html><title>Empty</title>'),
  '/host': page(
    `<!doctype html><title>Host</title><button id="connect">Connect</button><script src="/connect.js"></script>
     <script>
       const widget = ServiceConnect.init({ applicationId: '${applicationId}' });
       document.getElementById('connect').onclick = () => widget.open();
     </script>`,
  ),
});

const settings = readConfig(process.env, { apiRequestsPerMinute: 1e9, widgetRequestsPerMinute: 1e9 });
const log = makeLog(settings.logLevel);
const server = await openServer(settings, log);
const service = await buildService(server.config, log, { worker: false });
const { BENCH_APPLICATION_ID: applicationId } = process.env;
server.serve(service, applicationId ? pages(applicationId) : {});
