import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { platformOf } from '#libs/http-kit';
import { type ApiSchema, FILE_KINDS, type FileKind, fileSchema } from './api-document/index.js';
import { entityTag, isKnownTo } from './entity-tag.js';

const HEADERS = {
  // Editors in browsers load schemas from other origins; the OpenAPI document is just as public.
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, max-age=300',
};

/**
 * Generated from the document, so that they include step types and operators of plugins.
 * @param document of this process
 */
export function serveFileSchemas(app: INestApplication, document: () => Promise<OpenAPIObject>): void {
  for (const kind of Object.keys(FILE_KINDS) as FileKind[]) {
    let made: Promise<Made> | undefined;
    platformOf(app).get(`/schemas/${kind}.json`, async (request, reply) => {
      const { bytes, tag } = await (made ??= document().then((whole) => make(whole, kind)));
      for (const [name, value] of Object.entries({ ...HEADERS, etag: tag })) reply.header(name, value);
      if (isKnownTo(request, tag)) reply.status(304).send();
      else reply.type('application/schema+json').send(bytes);
    });
  }
}

interface Made {
  readonly bytes: Buffer;
  readonly tag: string;
}

function make({ components }: OpenAPIObject, kind: FileKind): Made {
  const bytes = Buffer.from(JSON.stringify(fileSchema((components?.schemas ?? {}) as Record<string, ApiSchema>, kind)));
  return { bytes, tag: entityTag(bytes) };
}
