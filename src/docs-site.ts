import { existsSync, mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { DOCS_PATH } from '#libs/http-kit';
import { type PluginPage, pluginPage } from './plugin-docs/index.js';
import { describePlugins } from './plugin-host/index.js';

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

/** The page of the site that each process fills in: several with other plugins can serve the same site. */
const PLUGINS = 'installed-plugins';
const PLACES = { content: '<!-- plugins: content -->', contents: '<!-- plugins: contents -->' } as const;

/**
 * Serves the site that `tools/docs-site` makes of the folder `docs`. It can be built, and built again, while Herald runs.
 * @param document of this process
 */
export function serveDocs(app: NestFastifyApplication, document: () => Promise<OpenAPIObject>): void {
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
      servePlugins(scope, root, () => document().then((whole) => pluginPage(describePlugins(app), whole, PLUGINS)));
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

function servePlugins(scope: FastifyInstance, root: string, make: () => Promise<PluginPage>): void {
  let made: Promise<PluginPage> | undefined;
  scope.get(`${DOCS_PATH}/${PLUGINS}`, async (_request, reply) => {
    const { content, contents } = await (made ??= make());
    // An older build of the site does not have it.
    const page = await readFile(join(root, `${PLUGINS}.html`), 'utf8').catch(() => undefined);
    if (page === undefined) return reply.callNotFound();
    const filled = page.replace(PLACES.content, () => content).replace(PLACES.contents, () => contents);
    return reply.type('text/html; charset=utf-8').send(filled);
  });
  // The script of the search adds these to its index.
  scope.get(`${DOCS_PATH}/assets/${PLUGINS}.json`, async (_request, reply) =>
    reply.type('application/json').send(JSON.stringify((await (made ??= make())).searchEntries)),
  );
}

/** The plugin needs a folder. One that cannot be made belongs to a read-only installation without documentation. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch {
    // NOT_BUILT is the answer to every request.
  }
}
