import type { INestApplication } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import { platformOf } from '#libs/http-kit';
import { METRICS_PATH, MetricsEndpoint } from '#libs/telemetry';
import { Monitoring } from './monitoring.service.js';

/** Only with a token for metrics and without a port of their own. */
export function serveMetrics(app: INestApplication): void {
  const config = app.get(AppConfig);
  const token = config.get('METRICS_TOKEN');
  if (token === undefined || config.get('METRICS_PORT') !== undefined) return;
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
