import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { AppException } from '../errors/app-exception.js';
import { BodyTooLarge, BodyTooSlow, MalformedBody, UnsupportedBody } from './body.errors.js';

const UNPACKERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** How often it is looked whether a body still arrives, and how many bytes have to arrive between two looks. */
const LOOK_EVERY_MS = 5_000;
const LEAST_BYTES = 5_000;

export interface ReadOptions {
  /** Unpacked bytes. */
  readonly limit: number;
  /** Called with each part before it is kept. @throws where there is no room for it */
  readonly reserve: (bytes: number) => void;
}

/**
 * Reads and unpacks a body. What goes beyond the limit is neither unpacked nor kept, and what comes after a refusal is
 * thrown away.
 * @throws {BodyTooLarge} @throws {BodyTooSlow} @throws {MalformedBody} @throws {UnsupportedBody}
 */
export function readBytes(request: IncomingMessage, { limit, reserve }: ReadOptions): Promise<Buffer> {
  const unpacker = unpackerOf(request);
  if (unpacker === undefined && Number(request.headers['content-length'] ?? 0) > limit) throw new BodyTooLarge(limit);
  if (request.destroyed) throw brokenOff();
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    const source = unpacker === undefined ? request : request.pipe(unpacker);
    const stopWatching = watchRate(request, () => end(new BodyTooSlow()));

    const take = (part: Buffer): void => {
      size += part.length;
      try {
        if (size > limit) throw new BodyTooLarge(limit);
        reserve(part.length);
        parts.push(part);
      } catch (error) {
        end(error as Error);
      }
    };
    // A packed body that has arrived as a whole may still be unpacked when its request closes.
    const breakOff = (): void => (request.readableEnded ? undefined : end(brokenOff()));
    const complete = (): void => end();
    const fail = (cause: unknown): void =>
      end(new MalformedBody('The body is not what its Content-Encoding says.', cause));

    function end(error?: Error): void {
      stopWatching();
      source.off('data', take).off('end', complete);
      request.off('error', breakOff).off('close', breakOff);
      if (unpacker !== undefined) {
        request.unpipe(unpacker);
        unpacker.off('error', fail).on('error', () => undefined);
        unpacker.destroy();
      }
      // What is left of it passes by without being kept, so that the answer can be read.
      request.resume();
      if (error === undefined) resolve(Buffer.concat(parts, size));
      else reject(error);
    }

    request.on('error', breakOff).on('close', breakOff);
    unpacker?.on('error', fail);
    source.on('data', take).on('end', complete);
  });
}

function brokenOff(): AppException {
  return new MalformedBody('The request ended before its body was complete.');
}

function unpackerOf({ headers }: IncomingMessage): Transform | undefined {
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return undefined;
  const make = Object.hasOwn(UNPACKERS, encoding) ? UNPACKERS[encoding] : undefined;
  if (make === undefined) {
    throw new UnsupportedBody('The content encoding is not supported. Send plain, gzip, deflate or br.');
  }
  return make();
}

/** Calls back when less arrives than any working connection brings. @returns what ends the watch */
function watchRate({ socket }: IncomingMessage, onSlow: () => void): () => void {
  let before = socket.bytesRead;
  const timer = setInterval(() => {
    if (socket.bytesRead - before < LEAST_BYTES) onSlow();
    before = socket.bytesRead;
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
