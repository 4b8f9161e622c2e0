import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { platformOf } from '#libs/http-kit';
import { programFile } from './program-file.js';

const FILES = programFile('../../tools/inbox-demo/dist/', '../../../tools/inbox-demo/dist/');

const NOT_BUILT = 'This page is not built. Run `npm run inbox-demo` in the folder of Herald, then restart it.\n';

/**
 * Built by `npm run inbox-demo`, because the published components are no dependencies of Herald. The page asks for an
 * API key; serving it grants no access.
 */
export function serveInboxDemo(app: INestApplication): void {
  const platform = platformOf(app);
  if (!existsSync(FILES)) {
    platform.get('/inbox-demo', (_request, reply) => reply.status(404).type('text/plain').send(NOT_BUILT));
    return;
  }
  const page = readFileSync(join(FILES, 'index.html'));
  platform.get('/inbox-demo', (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
  platform.serveFolder({ root: FILES, prefix: '/inbox-demo/' });
}
