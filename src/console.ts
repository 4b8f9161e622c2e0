import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** The same place from `dist/src` and from `dist/bundle`. */
const FILES = fileURLToPath(new URL('../console/', import.meta.url));

const NOT_BUILT = 'The console is not built. Run `npm run build` in the folder of Herald, then restart it.\n';

/** The files of the build and the API, and nothing from elsewhere; no inline script or style. */
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
 * Of the frame that holds the frame of a mail, which inherits this policy: mails have inline styles. Neither of the two
 * runs scripts or loads anything, except pictures if the reader asks for them.
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

/** Nothing of it depends on the key, so proxies may keep it, but a new build has to be found. */
const NO_CACHE = 'no-cache';

/**
 * Serves the console, whose files `tools/bundle-console.mjs` builds. It asks for an API key and calls the API with it; this
 * function gives no access to anything.
 */
export function serveConsole(app: NestFastifyApplication, files = FILES): void {
  const server = app.getHttpAdapter().getInstance();
  if (!existsSync(join(files, 'index.html'))) {
    server.get('/console', (_request, reply) => reply.code(404).type('text/plain').send(NOT_BUILT));
    return;
  }
  const html = (policy: string, frameOptions: string, page: string | Buffer) => (_request: unknown, reply: Reply) =>
    reply
      .headers({ 'content-security-policy': policy, 'x-frame-options': frameOptions, 'cache-control': NO_CACHE })
      .type('text/html; charset=utf-8')
      .send(page);
  const page = html(PAGE_POLICY, 'DENY', readFileSync(join(files, 'index.html')));
  server.get('/console', page);
  // Every page of the console has an address of its own, which the page itself reads.
  server.get('/console/*', page);
  server.get('/console/mail-frame', html(framePolicy('data:'), 'SAMEORIGIN', FRAME));
  server.get('/console/mail-frame-with-images', html(framePolicy('data: https: http:'), 'SAMEORIGIN', FRAME));
  server.register(fastifyStatic, {
    root: join(files, 'assets'),
    prefix: '/console/assets/',
    decorateReply: false,
    preCompressed: true,
    // Their names change with their content.
    maxAge: '1y',
    immutable: true,
  });
}

interface Reply {
  headers(values: Readonly<Record<string, string>>): Reply;
  type(type: string): Reply;
  send(body: string | Buffer): unknown;
}
