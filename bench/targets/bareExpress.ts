// Express with one route and nothing else: the minimum that an Express application needs to start.
import express from 'express';

const app = express();
app.get('/health', (_request, response) => {
  response.json({ status: 'ok' });
});
app.listen(Number(process.env.PORT), '127.0.0.1');
