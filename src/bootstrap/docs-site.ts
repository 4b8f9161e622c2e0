import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { DOCS_PATH, type HttpPlatform, type HttpReply, type HttpRequest, pathOf, platformOf } from '#libs/http-kit';
import { entityTag, isKnownTo } from './entity-tag.js';
import { programFile } from './program-file.js';

const SITE = programFile('../../tools/docs-site/dist/', '../../../tools/docs-site/dist/');

/** Where the pages are as text: those of the built site, or in a clone the sources. */
export const MANUAL_FOLDERS = [SITE, programFile('../../docs/', '../../../docs/')];

/** Of the pages, that decide about colours before the first of them is drawn. Written when the site is built. */
interface SitePolicy {
  readonly scriptHashes: readonly string[];
}

/** Pages need nothing from other hosts, and no scripts in the page but those that were in it when it was built. */
function contentSecurityPolicy({ scriptHashes }: SitePolicy): string {
  return [
    "default-src 'none'",
    "base-uri 'none'",
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    // Icons of buttons stand in the style sheet.
    "img-src 'self' data:",
    ["script-src 'self'", ...scriptHashes.map((hash) => `'${hash}'`)].join(' '),
    "style-src 'self'",
  ].join(';');
}

const NOT_BUILT =
  'The documentation is not built yet. `npm start` builds it once Herald is ready, which takes some seconds the first time; ' +
  'this page reloads until then. To build it by hand: `npm run build:pages`. The same pages are in the folder docs.\n';
const RELOAD_SECONDS = 5;
const HTML_TYPE = 'text/html; charset=utf-8';

/** Pages whose path is also a folder of the site, or of the address itself. */
const OVERVIEWS = [
  [DOCS_PATH, 'index.html'],
  [`${DOCS_PATH}/manual`, 'manual.html'],
  [`${DOCS_PATH}/providers`, 'providers.html'],
] as const;

/** Built by `tools/docs-site` from `docs`, also while Herald runs. */
export function serveDocs(app: INestApplication, publicPath: string, root = SITE): void {
  if (!existsSync(join(root, '..', '..'))) return;
  makeFolder(root);
  const platform = platformOf(app);
  const site = new BuiltSite(root);
  if (publicPath !== '') {
    serveMoved(platform, site, root, publicPath);
    return;
  }
  const before = (_request: unknown, reply: HttpReply): boolean => site.isReady(reply);
  for (const [path, file] of OVERVIEWS) {
    platform.get(path, async (_request, reply) => {
      if (site.isReady(reply)) reply.type(HTML_TYPE).send(await readFile(join(root, file)));
    });
  }
  platform.serveFolder({ root, prefix: DOCS_PATH, extensions: ['html'], before });
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': HTML_TYPE,
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};
const IMAGE_TYPE = 'image/png';

/** The site is built for the root of a host; below the path of PUBLIC_URL, its links lead there. */
function serveMoved(platform: HttpPlatform, site: BuiltSite, root: string, publicPath: string): void {
  const serve = async (request: HttpRequest, reply: HttpReply): Promise<void> => {
    if (!site.isReady(reply)) return;
    const found = await fileAt(root, pathOf(request.url));
    const file = found ?? '404.html';
    const content = await readFile(join(root, file));
    const type = TYPES[extname(file)];
    const bytes = type === undefined ? content : Buffer.from(moved(content.toString(), publicPath));
    const tag = entityTag(bytes);
    reply.header('etag', tag).type(type ?? IMAGE_TYPE);
    if (found === undefined) reply.status(404).send(bytes);
    else if (isKnownTo(request, tag)) reply.status(304).send();
    else reply.send(bytes);
  };
  platform.get(DOCS_PATH, serve);
  platform.getBelow(DOCS_PATH, serve);
}

function moved(text: string, publicPath: string): string {
  return text.replace(/(?<=")\/docs(?=[/"])/g, publicPath + DOCS_PATH);
}

/** Only files of the site: none that is hidden, and none beside it. */
async function fileAt(root: string, path: string): Promise<string | undefined> {
  const asked = decodeURIComponent(path.slice(DOCS_PATH.length)).replace(/^\/|\/$/g, '') || 'index';
  if (/(?:^|[\\/])\./.test(asked)) return undefined;
  for (const file of [asked, `${asked}.html`]) {
    const found = await stat(join(root, file)).catch(() => undefined);
    if (found?.isFile() === true) return file;
  }
  return undefined;
}

/** The site is built while Herald runs, at the first start and after changes. */
class BuiltSite {
  private policy: { readonly text: string; readonly builtAt: number } | undefined;

  constructor(private readonly root: string) {}

  /** Sets the policy; sends the reply itself if the site is not built. */
  isReady(reply: HttpReply): boolean {
    const builtAt = statSync(join(this.root, 'index.html'), { throwIfNoEntry: false })?.mtimeMs;
    if (builtAt === undefined) {
      reply.header('content-security-policy', contentSecurityPolicy({ scriptHashes: [] }));
      reply.status(503).header('refresh', String(RELOAD_SECONDS)).type('text/plain; charset=utf-8').send(NOT_BUILT);
      return false;
    }
    if (this.policy?.builtAt !== builtAt) this.policy = { text: this.readPolicy(), builtAt };
    reply.header('content-security-policy', this.policy.text);
    return true;
  }

  private readPolicy(): string {
    const path = join(this.root, '.policy.json');
    const policy = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as SitePolicy) : { scriptHashes: [] };
    return contentSecurityPolicy(policy);
  }
}

/** The platform's file server needs a folder. If it cannot be created, the installation is read-only and has no documentation. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch {
    // NOT_BUILT answers every request.
  }
}
