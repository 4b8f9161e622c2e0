import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { type HttpReply, platformOf } from '#libs/http-kit';
import { pluginPages } from './plugin-host/index.js';
import { documentOf, frameOf, pagesAttribute, PLUGIN_PAGE_POLICY } from './plugin-pages.js';
import { programFile } from './program-file.js';

const FILES = programFile('../console/', '../../console/');

const NOT_BUILT = 'The console is not built. Run `npm run build` in the folder of Herald, then restart it.\n';

/** Only files of the build and the API; no inline script or style. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';');

/**
 * For the frame around a mail's frame, which inherits the policy: mails have inline styles. Neither runs scripts or
 * loads anything but pictures that the reader asks for.
 */
const framePolicy = (images: string): string =>
  [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src ${images}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join(';');

const FRAME =
  '<!doctype html><meta charset="utf-8"><style>html,body,iframe{margin:0;border:0;width:100%;height:100%;display:block}</style>';

/** Independent of the key, so proxies may keep it, but must revalidate to find a new build. */
const NO_CACHE = 'no-cache';

/**
 * Built by `tools/bundle-console.mjs`. The console calls the API with a key that it asks for; serving it grants no
 * access.
 */
export function serveConsole(app: INestApplication, publicPath: string, files = FILES): void {
  const platform = platformOf(app);
  if (!existsSync(join(files, 'index.html'))) {
    platform.get('/console', (_request, reply) => reply.status(404).type('text/plain').send(NOT_BUILT));
    return;
  }
  const html = (policy: string, frameOptions: string, page: string) => (_request: unknown, reply: HttpReply) =>
    reply
      .header('content-security-policy', policy)
      .header('x-frame-options', frameOptions)
      .header('cache-control', NO_CACHE)
      .type('text/html; charset=utf-8')
      .send(page);
  const page = html(
    PAGE_POLICY,
    'DENY',
    readFileSync(join(files, 'index.html'), 'utf8')
      .replaceAll('{{publicPath}}', publicPath)
      .replace('{{pages}}', () => pagesAttribute(pluginPages())),
  );
  platform.get('/console', page);
  platform.get('/console/mail-frame', html(framePolicy('data:'), 'SAMEORIGIN', FRAME));
  platform.get('/console/mail-frame-with-images', html(framePolicy('data: https: http:'), 'SAMEORIGIN', FRAME));
  for (const one of pluginPages()) {
    platform.get(`/console${frameOf(one)}`, html(PLUGIN_PAGE_POLICY, 'SAMEORIGIN', documentOf(one)));
  }
  platform.serveFolder({ root: join(files, 'assets'), prefix: '/console/assets/', isVersioned: true });
  // The console routes its paths itself.
  platform.getBelow('/console', page);
}
