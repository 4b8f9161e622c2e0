import { VersioningType } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppLogger, BodyReader, configureServer } from '#libs/http-kit';
import { readBufferFiles } from './events/index.js';
import { serveFrontDoor } from './front-door.js';
import { serveOpenApi } from './openapi-document.js';

/** Configures everything about HTTP except routes. Tests call the same function. */
export function configureApp(app: NestFastifyApplication): NestFastifyApplication {
  app.useLogger(app.get(AppLogger));
  configureServer(app);
  app.get(BodyReader).rewriteWith(readBufferFiles);
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
  serveOpenApi(app);
  serveFrontDoor(app);
  return app;
}
