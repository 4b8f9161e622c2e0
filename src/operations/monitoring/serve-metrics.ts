import type { INestApplication } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import { AppLogger, platformOf } from '#libs/http-kit';
import { METRICS_PATH, MetricsEndpoint } from '#libs/telemetry';
import { Monitoring } from './monitoring.service.js';

/** Only with a token for metrics and without a port of their own. */
export function serveMetrics(app: INestApplication): void {
  const config = app.get(AppConfig);
  const token = config.get('METRICS_TOKEN');
  if (config.get('METRICS_PORT') !== undefined) return;
  const logger = app.get(AppLogger);
  if (token === undefined) {
    logger.event('info', 'metrics are off; METRICS_PORT or METRICS_TOKEN switches them on', { path: METRICS_PATH });
    return;
  }
  logger.event('info', 'serving metrics on the port of the API', { path: METRICS_PATH });
  const monitoring = app.get(Monitoring);
  let endpoint: MetricsEndpoint | undefined;
  platformOf(app).get(METRICS_PATH, async ({ headers: { authorization } }, reply) => {
    if (monitoring.metrics === undefined) return void reply.status(503).send();
    endpoint ??= new MetricsEndpoint(monitoring.metrics, token);
    const { status, headers, body } = await endpoint.answer(authorization);
    for (const [name, value] of Object.entries(headers)) reply.header(name, value);
    reply.status(status).send(body);
  });
}
