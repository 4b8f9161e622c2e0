import { existsSync, mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DOCS_PATH } from '#libs/http-kit';

/** The same place from `dist/src`, from `dist/bundle` and from the sources. */
const FILES = [
  new URL('../../tools/docs-site/dist/', import.meta.url),
  new URL('../tools/docs-site/dist/', import.meta.url),
]
  .map((url) => fileURLToPath(url))
  .find((path) => existsSync(join(path, '..', '..')));

/** Pages of Markdown need neither scripts of their own nor anything from other hosts. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "img-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
].join(';');

const NOT_BUILT =
  'The documentation is not built yet. `npm start` builds it once Herald is ready, which takes some seconds the first time; ' +
  'this page reloads until then. To build it by hand: `npm run docs:site`. The same pages are in the folder docs.\n';
const RELOAD_SECONDS = 5;

/** Pages whose address is a folder of the site as well. */
const OVERVIEWS = [
  [DOCS_PATH, 'index.html'],
  [`${DOCS_PATH}/manual`, 'manual.html'],
] as const;

/** Serves the site that `tools/docs-site` makes of the folder `docs`. It can be built, and built again, while Herald runs. */
export function serveDocs(app: NestFastifyApplication): void {
  if (FILES === undefined) return;
  const root = FILES;
  makeFolder(root);
  app
    .getHttpAdapter()
    .getInstance()
    .register((scope, _options, done) => {
      scope.addHook('onRequest', (_request, reply, next) => {
        reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
        if (existsSync(join(root, 'index.html'))) return next();
        reply.code(503).header('refresh', String(RELOAD_SECONDS)).type('text/plain; charset=utf-8').send(NOT_BUILT);
      });
      for (const [path, file] of OVERVIEWS) {
        scope.get(path, async (_request, reply) =>
          reply.type('text/html; charset=utf-8').send(await readFile(join(root, file))),
        );
      }
      scope.register(fastifyStatic, {
        root,
        prefix: DOCS_PATH,
        extensions: ['html'],
        dotfiles: 'ignore',
        decorateReply: false,
      });
      done();
    });
}

/** The plugin needs a folder. One that cannot be made belongs to a read-only installation without documentation. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch {
    // NOT_BUILT is the answer to every request.
  }
}
