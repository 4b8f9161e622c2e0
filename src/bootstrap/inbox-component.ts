import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { type HttpReply, type HttpRequest, platformOf } from '#libs/http-kit';
import { entityTag, isKnownTo } from './entity-tag.js';
import { programFile } from './program-file.js';

const FILES = programFile('../inbox/', '../../inbox/');

const HEADERS = {
  // Pages of any origin load the component; it has no secrets.
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  // The names do not change with the content.
  'cache-control': 'public, max-age=300',
  vary: 'Accept-Encoding',
};
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

interface ServedFile {
  readonly plain: Buffer;
  readonly tag: string;
  /** By the name of the encoding, the best first. */
  readonly compressed: ReadonlyMap<string, Buffer>;
}

/** The files of `<herald-inbox>`, built by `packages/inbox/tools/bundle.mjs`. */
export function serveInboxComponent(app: INestApplication, folder = FILES): void {
  for (const name of scriptsIn(folder)) {
    const file = read(join(folder, name));
    platformOf(app).get(`/inbox/${name}`, (request, reply) => send(file, request, reply));
  }
}

/** None where esbuild has no build for the platform. */
function scriptsIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.js'));
  } catch {
    return [];
  }
}

function read(path: string): ServedFile {
  const plain = readFileSync(path);
  const compressed = new Map(ENCODINGS.map(([name, ending]) => [name, readFileSync(path + ending)]));
  return { plain, tag: entityTag(plain), compressed };
}

function send({ plain, tag, compressed }: ServedFile, request: HttpRequest, reply: HttpReply): unknown {
  for (const [name, value] of Object.entries({ ...HEADERS, etag: tag })) reply.header(name, value);
  if (isKnownTo(request, tag)) return reply.status(304).send();
  const accepted = String(request.headers['accept-encoding'] ?? '').split(/[\s,]+/);
  const [encoding, bytes] = [...compressed].find(([name]) => accepted.includes(name)) ?? [];
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  return reply.type('text/javascript; charset=utf-8').send(bytes ?? plain);
}
