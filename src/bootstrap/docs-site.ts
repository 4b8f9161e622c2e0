import { existsSync, mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { DOCS_PATH, type HttpPlatform, type HttpReply, pathOf, platformOf, RouteNotFound } from '#libs/http-kit';
import { type PluginPage, pluginPage } from './plugin-docs/index.js';
import { describePlugins } from './plugin-host/index.js';
import { programFile } from './program-file.js';

const SITE = programFile('../../tools/docs-site/dist/', '../../../tools/docs-site/dist/');

/** Pages of Markdown need no scripts of their own and nothing from other hosts. */
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
const HTML_TYPE = 'text/html; charset=utf-8';

/** Pages whose path is also a folder of the site. */
const OVERVIEWS = [
  [DOCS_PATH, 'index.html'],
  [`${DOCS_PATH}/manual`, 'manual.html'],
] as const;

/** Filled in per process: processes with different plugins can share a site. */
const PLUGINS = 'installed-plugins';
const PLACES = { content: '<!-- plugins: content -->', contents: '<!-- plugins: contents -->' } as const;

/**
 * Built by `tools/docs-site` from `docs`, also while Herald runs.
 * @param document of this process
 */
export function serveDocs(app: INestApplication, document: () => Promise<OpenAPIObject>): void {
  const root = SITE;
  if (!existsSync(join(root, '..', '..'))) return;
  makeFolder(root);
  const platform = platformOf(app);
  const before = (_request: unknown, reply: HttpReply): boolean => isBuilt(root, reply);
  for (const [path, file] of OVERVIEWS) {
    platform.get(path, async (_request, reply) => {
      if (isBuilt(root, reply)) reply.type(HTML_TYPE).send(await readFile(join(root, file)));
    });
  }
  servePlugins(platform, root, () => document().then((whole) => pluginPage(describePlugins(app), whole, PLUGINS)));
  platform.serveFolder({ root, prefix: DOCS_PATH, extensions: ['html'], before });
}

/** Sends the reply itself if the site is not built. */
function isBuilt(root: string, reply: HttpReply): boolean {
  reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
  if (existsSync(join(root, 'index.html'))) return true;
  reply.status(503).header('refresh', String(RELOAD_SECONDS)).type('text/plain; charset=utf-8').send(NOT_BUILT);
  return false;
}

function servePlugins(platform: HttpPlatform, root: string, make: () => Promise<PluginPage>): void {
  let made: Promise<PluginPage> | undefined;
  platform.get(`${DOCS_PATH}/${PLUGINS}`, async ({ method, originalUrl }, reply) => {
    if (!isBuilt(root, reply)) return;
    const { content, contents } = await (made ??= make());
    // An older build of the site does not have it.
    const page = await readFile(join(root, `${PLUGINS}.html`), 'utf8').catch(() => undefined);
    if (page === undefined) throw new RouteNotFound(method, pathOf(originalUrl));
    const filled = page.replace(PLACES.content, () => content).replace(PLACES.contents, () => contents);
    reply.type(HTML_TYPE).send(filled);
  });
  // The search script adds these to its index.
  platform.get(`${DOCS_PATH}/assets/${PLUGINS}.json`, async (_request, reply) => {
    if (isBuilt(root, reply))
      reply.type('application/json').send(JSON.stringify((await (made ??= make())).searchEntries));
  });
}

/** The plugin needs a folder. If it cannot be created, the installation is read-only and has no documentation. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch {
    // NOT_BUILT answers every request.
  }
}
