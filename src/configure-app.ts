import { VersioningType } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import { AppConfig } from '#libs/config';
import { answerUnreadableRequests, AppLogger, jsonBody, requestContext, requestLog } from '#libs/http-kit';
import { readBufferFiles } from './events/index.js';
import { serveOpenApi } from './openapi-document.js';

const DAY_SECONDS = 86_400;
/** Providers sign the bytes that they send (provider-callbacks). */
const SIGNED_BODIES = /^\/v1\/provider-callbacks\//i;

/** Everything about HTTP that is not a route. Tests call the same function. */
export function configureApp(app: NestExpressApplication): NestExpressApplication {
  const config = app.get(AppConfig);
  const logger = app.get(AppLogger);
  app.useLogger(logger);
  answerUnreadableRequests(app.getHttpServer());
  app.disable('x-powered-by');
  app.set('query parser', 'extended');
  app.use(requestContext, requestLog(logger));
  app.use(
    helmet({
      contentSecurityPolicy: {
        directives: { 'script-src': ["'self'", "'unsafe-inline'"], 'upgrade-insecure-requests': null },
      },
    }),
  );
  const origins = config.get('CORS_ORIGINS');
  if (origins.length > 0) {
    app.enableCors({
      origin: origins.includes('*') ? '*' : origins,
      maxAge: DAY_SECONDS,
      exposedHeaders: ['X-Request-Id', 'Retry-After', 'Idempotency-Key', 'Idempotency-Replay'],
    });
  }
  app.use(...jsonBody(config, SIGNED_BODIES, readBufferFiles));
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
  serveOpenApi(app);
  return app;
}
