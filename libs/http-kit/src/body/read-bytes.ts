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

/** At least `MIN_BYTES` must arrive in each interval, on the wire and as content: neither padding nor emptiness counts. */
const CHECK_EVERY_MS = 5_000;
const MIN_BYTES = 5_000;

export interface ReadOptions {
  readonly limit: number;
  /** Called before a part is stored. @throws if the budget is exhausted */
  readonly reserve: (bytes: number) => void;
  /** Refuses a Content-Encoding. */
  readonly isPlain?: boolean;
  /** In all, however much arrives. */
  readonly withinMs?: number;
}

/**
 * Bytes over the limit are neither decompressed nor stored; bytes after a refusal are discarded.
 * @throws {BodyTooLarge} @throws {BodyTooSlow} @throws {MalformedBody} @throws {UnsupportedBody}
 */
export function readBytes(request: IncomingMessage, options: ReadOptions): Promise<Buffer> {
  const { limit, reserve, isPlain = false, withinMs } = options;
  const unpacker = unpackerOf(request, isPlain);
  if (unpacker === undefined && Number(request.headers['content-length'] ?? 0) > limit) throw new BodyTooLarge(limit);
  if (request.destroyed) throw interrupted();
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    const source = unpacker === undefined ? request : request.pipe(unpacker);
    const stopWatching = watchRate(
      request,
      () => size,
      () => end(new BodyTooSlow()),
      withinMs,
    );

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
    // A complete compressed body may still be decompressed when its request closes.
    const onInterrupt = (): void => (request.readableEnded ? undefined : end(interrupted()));
    const complete = (): void => end();
    const fail = (cause: unknown): void =>
      end(new MalformedBody('The body is not what its Content-Encoding says.', cause));

    function end(error?: Error): void {
      stopWatching();
      source.off('data', take).off('end', complete);
      request.off('error', onInterrupt).off('close', onInterrupt);
      if (unpacker !== undefined) {
        request.unpipe(unpacker);
        unpacker.off('error', fail).on('error', () => undefined);
        unpacker.destroy();
      }
      // Discards the rest, so that the client can read the response.
      request.resume();
      if (error === undefined) resolve(Buffer.concat(parts, size));
      else reject(error);
    }

    request.on('error', onInterrupt).on('close', onInterrupt);
    unpacker?.on('error', fail);
    source.on('data', take).on('end', complete);
  });
}

function interrupted(): AppException {
  return new MalformedBody('The request ended before its body was complete.');
}

function unpackerOf({ headers }: IncomingMessage, isPlain: boolean): Transform | undefined {
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return undefined;
  if (isPlain)
    throw new UnsupportedBody('Send the body without a Content-Encoding: only callers with a key may pack it.');
  const make = Object.hasOwn(UNPACKERS, encoding) ? UNPACKERS[encoding] : undefined;
  if (make === undefined) {
    throw new UnsupportedBody('The content encoding is not supported. Send plain, gzip, deflate or br.');
  }
  return make();
}

/** @returns a function that stops watching */
function watchRate(
  { socket }: IncomingMessage,
  contentBytes: () => number,
  onSlow: () => void,
  withinMs: number | undefined,
): () => void {
  let received = socket.bytesRead;
  let unpacked = contentBytes();
  const timer = setInterval(() => {
    if (socket.bytesRead - received < MIN_BYTES || contentBytes() - unpacked < MIN_BYTES) onSlow();
    received = socket.bytesRead;
    unpacked = contentBytes();
  }, CHECK_EVERY_MS).unref();
  const deadline = withinMs === undefined ? undefined : setTimeout(onSlow, withinMs).unref();
  return () => {
    clearInterval(timer);
    clearTimeout(deadline);
  };
}
