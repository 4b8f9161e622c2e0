import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { platformOf } from '#libs/http-kit';
import { programFile } from './program-file.js';

const FILES = join(programFile('../../tools/inbox-demo', '../../../tools/inbox-demo'), 'dist');

const NOT_BUILT = 'This page is not built. Run `npm run build:pages` in the folder of Herald, then reload this page.\n';

/**
 * Built by `npm run build:pages`, also while Herald runs, because the published components are no dependencies of Herald.
 * The page asks for an API key; serving it grants no access.
 */
export function serveInboxDemo(app: INestApplication, files = FILES): void {
  const platform = platformOf(app);
  platform.get('/inbox-demo', async (_request, reply) => {
    const page = await readFile(join(files, 'index.html')).catch(unlessMissing);
    if (page === undefined) reply.status(404).type('text/plain').send(NOT_BUILT);
    else reply.type('text/html; charset=utf-8').send(page);
  });
  platform.serveFolder({ root: files, prefix: '/inbox-demo/' });
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
