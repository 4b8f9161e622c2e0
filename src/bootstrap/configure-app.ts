import type { Server } from 'node:http';
import { type INestApplication, VersioningType } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import { AppLogger, BodyReader, configureServer, publicPathOf } from '#libs/http-kit';
import { METRICS_PATH } from '#libs/telemetry';
import { Manual } from '../operations/mcp/index.js';
import { MANUAL_FOLDERS, serveDocs } from './docs-site.js';
import { readBufferFiles } from '../engine/events/index.js';
import { serveConsole } from './console.js';
import { serveFileSchemas } from './file-schemas.js';
import { serveFrontDoor } from './front-door.js';
import { serveMetrics } from '../operations/monitoring/index.js';
import { serveInboxComponent } from './inbox-component.js';
import { serveInboxDemo } from './inbox-demo.js';
import { serveOpenApi } from './openapi-document.js';

/** Swagger UI, the console, the documentation, the component of the inbox and the demo. */
const PAGES = /^\/(?:api|console|docs|inbox|inbox-demo)(?:\/|$)/;
const PROBES = ['/v1/health-check', METRICS_PATH];

/** Everything about HTTP except routes. Tests call it, too. */
export function configureApp(app: INestApplication<Server>): INestApplication<Server> {
  app.useLogger(app.get(AppLogger));
  configureServer(app, { probes: PROBES, files: PAGES });
  app.get(BodyReader).rewriteWith(readBufferFiles);
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
  const document = serveOpenApi(app);
  serveFileSchemas(app, document);
  serveFrontDoor(app);
  serveMetrics(app);
  serveInboxComponent(app);
  const config = app.get(AppConfig);
  const publicPath = publicPathOf(config.get('PUBLIC_URL'));
  if (config.get('CONSOLE_ENABLED') === 'on') serveConsole(app, publicPath);
  app.get(Manual).readFrom(MANUAL_FOLDERS);
  if (config.get('DOCS_ENABLED') === 'on') serveDocs(app, publicPath);
  if (config.get('INBOX_DEMO') === 'on') serveInboxDemo(app);
  return app;
}
