import type { Server } from 'node:http';
import { VersioningType } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import { AppConfig } from '#libs/config';
import {
  answerUnreadableRequests,
  AppLogger,
  BodyReader,
  limitConnections,
  requestContext,
  requestLog,
  skipAborted,
  WARNING_HEADER,
} from '#libs/http-kit';
import { readBufferFiles } from './events/index.js';
import { serveFrontDoor } from './front-door.js';
import { cacheDocuments, serveOpenApi } from './openapi-document.js';

const DAY_SECONDS = 86_400;

/** Configures everything about HTTP except routes. Tests call the same function. */
export function configureApp(app: NestExpressApplication): NestExpressApplication {
  const config = app.get(AppConfig);
  const logger = app.get(AppLogger);
  app.useLogger(logger);
  const server: Server = app.getHttpServer();
  answerUnreadableRequests(server);
  limitConnections(server, config, logger);
  app.disable('x-powered-by');
  app.set('query parser', 'extended');
  app.set('trust proxy', config.get('TRUST_PROXY'));
  app.use(skipAborted, requestContext, requestLog(logger));
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
      exposedHeaders: ['X-Request-Id', 'Retry-After', 'Idempotency-Key', 'Idempotency-Replay', WARNING_HEADER],
    });
  }
  app.get(BodyReader).rewriteWith(readBufferFiles);
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
  cacheDocuments(app);
  serveOpenApi(app);
  serveFrontDoor(app);
  return app;
}
