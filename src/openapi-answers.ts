import type { INestApplication } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

/** Paths of the OpenAPI document. They need no API key. */
export const DOCUMENT_PATHS = ['/api-json', '/api-yaml', '/openapi.json'] as const;

interface Answer {
  readonly type: string;
  readonly etag: string | undefined;
  readonly bytes: Buffer;
}

/**
 * Caches each form of the document, because serializing it takes a tenth of a second and needs no API key. All responses
 * share its bytes, so that stalled connections hold no copies.
 */
export function keepDocuments(app: INestApplication): void {
  const kept = new Map<string, Answer>();
  const paths = new Set<string>(DOCUMENT_PATHS);
  app.use(({ method, path }: Request, response: Response, next: NextFunction) => {
    if (method !== 'GET' || !paths.has(path)) return next();
    const answer = kept.get(path);
    if (answer !== undefined) {
      if (answer.etag !== undefined) response.set('ETag', answer.etag);
      return response.type(answer.type).send(answer.bytes);
    }
    const send = response.send.bind(response);
    response.send = (body: unknown) => {
      const sent = send(body);
      const type = response.get('Content-Type');
      if (typeof body === 'string' && type !== undefined) {
        kept.set(path, { type, etag: response.get('ETag'), bytes: Buffer.from(body) });
      }
      return sent;
    };
    next();
  });
}

/** Generates the document before the first request for it. An error here shows up again in that request. */
export async function makeDocuments(url: string): Promise<void> {
  for (const path of DOCUMENT_PATHS) {
    const answer = await fetch(url + path).catch(() => undefined);
    await answer?.arrayBuffer();
  }
}
