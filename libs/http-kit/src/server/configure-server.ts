import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import { ErrorAnswers } from '../errors/error-answers.js';
import { AppLogger } from '../logging/app-logger.js';
import { platformOf } from '../platform/http-platform.js';
import { answerUnreadableRequests, limitConnections } from './connections.js';
import { corsOf } from './cors.js';
import { readForwardedFor } from './forwarded-for.js';
import { acceptPublicPath, publicPathOf } from '../request/public-path.js';
import { type QuietRequests, RequestEntry } from './request-entry.js';

/**
 * Common to all applications. Call before serving requests.
 * @param quiet requests that are logged at level debug
 */
export function configureServer(app: INestApplication<Server>, quiet: QuietRequests = {}): void {
  const config = app.get(AppConfig);
  const logger = app.get(AppLogger);
  const server = app.getHttpServer();
  const cors = corsOf(config.get('CORS_ORIGINS'));
  answerUnreadableRequests(server);
  limitConnections(server, config, logger);
  readForwardedFor(server, config.get('TRUST_PROXY').length > 0, logger);
  acceptPublicPath(server, publicPathOf(config.get('PUBLIC_URL')));
  platformOf(app).enterThrough(new RequestEntry(logger, app.get(ErrorAnswers), cors, quiet));
}
