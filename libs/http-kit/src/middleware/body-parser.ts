import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { AppConfig } from '#libs/config';
import { AppException, ValidationFailed } from '../errors/app-exception.js';
import { describeError } from '../errors/describe-error.js';
import { findHostileJson } from '../validation/hostile-json.js';
import { refuseMassesOfKeys, TOO_MANY_KEYS, TooManyKeys } from '../validation/json-masses.js';

const JSON_TYPES = ['json', '+json'];
const LARGE_BODIES = /^\/v1\/(events|workflows|notification-templates|layouts)(\/|$)/i;

/** Providers choose the size of their batches: some send a thousand events and more, each with what is known of it. */
const RAW_BODY_BYTES = 5 * 1_048_576;

/** A request whose body is kept exactly as it came, because a signature has to be checked over it. */
export interface RawBodyRequest extends Request {
  rawBody?: Buffer;
}

/**
 * Reads JSON bodies within the limit of their route (decisions 3.5), refuses other content types, and turns away what
 * could only be an attack before anything else looks at it.
 * @param rawBodyPaths paths whose body is only kept as it came, of any content type: nothing of it is read before its
 * signature is checked
 * @param rewrite may change a body in place before it is checked
 */
export function jsonBody(
  config: AppConfig,
  rawBodyPaths: RegExp = /^$/,
  rewrite: (request: Request) => void = () => undefined,
): RequestHandler[] {
  const parser = (limit: number): RequestHandler =>
    express.json({ limit, strict: false, type: JSON_TYPES, verify: refuseMassesOfKeys });
  const ordinary = parser(config.get('BODY_LIMIT'));
  const large = parser(config.get('BODY_LIMIT_LARGE'));
  const raw = express.raw({ limit: Math.max(config.get('BODY_LIMIT'), RAW_BODY_BYTES), type: () => true });

  const parse: RequestHandler = (request, response, next) => {
    if (!hasBody(request)) return next();
    if (rawBodyPaths.test(request.path)) return readRaw(raw, request, response, next);
    if (request.is(JSON_TYPES) === false) {
      return next(new AppException(415, 'unsupported_media_type', 'Send the body as Content-Type: application/json.'));
    }
    return (LARGE_BODIES.test(request.path) ? large : ordinary)(request, response, (error?: unknown) => {
      next(error === undefined ? undefined : unreadable(error));
    });
  };
  const check: RequestHandler = (request, _response, next) => {
    rewrite(request);
    const fault = request.url.includes('%00')
      ? 'the address must not hold null characters'
      : findHostileJson(request.body);
    next(fault === undefined ? undefined : new ValidationFailed([fault]));
  };
  return [parse, check];
}

/**
 * In our own words: the framework would answer a parser's error with its text, which quotes the body. What the parser
 * has no name for comes from unpacking.
 */
function unreadable(cause: unknown): AppException {
  if (cause instanceof TooManyKeys) return new ValidationFailed([TOO_MANY_KEYS]);
  const { status, code, message, internal } = describeError(cause);
  if (!internal) return new AppException(status, code, message, { cause });
  return new AppException(400, 'malformed_body', 'The body is not what its Content-Encoding says.', { cause });
}

function readRaw(raw: RequestHandler, request: RawBodyRequest, response: Response, next: NextFunction): void {
  void raw(request, response, (error?: unknown) => {
    if (Buffer.isBuffer(request.body)) {
      request.rawBody = request.body;
      request.body = undefined;
    }
    next(error === undefined ? undefined : unreadable(error));
  });
}

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}
