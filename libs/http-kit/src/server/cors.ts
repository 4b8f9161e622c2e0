import { type HttpReply, type HttpRequest, pathOf } from '../request/http-request.js';
import { WARNING_HEADER } from '../validation/warning-header.js';

const DAY_SECONDS = 86_400;
const EXPOSED_HEADERS = ['X-Request-Id', 'Retry-After', 'Idempotency-Key', 'Idempotency-Replay', WARNING_HEADER].join(
  ',',
);
const METHODS = 'GET,HEAD,PUT,PATCH,POST,DELETE';
/** Called by pages of any origin, with a subscriber's token. */
const BROWSER_ROUTES = /^\/+v1\/(?:widgets|inbox)(?:\/|$)/i;
/** A `*` would not include Authorization. */
const BROWSER_HEADERS = [
  'Authorization',
  'Content-Type',
  'Novu-API-Version',
  'Novu-Application-Identifier',
  'Novu-Client-Version',
  'Novu-User-Agent',
  'User-Agent',
  'X-Request-Id',
].join(',');

/** @returns true for an answered preflight */
export type Cors = (request: HttpRequest, reply: HttpReply) => boolean;

/**
 * Browser routes allow any origin, without credentials; all other routes allow `origins`.
 * @param origins `*` for any
 */
export function corsOf(origins: readonly string[]): Cors {
  const configured = ofOrigins(origins);
  return (request, reply) => {
    if (!BROWSER_ROUTES.test(pathOf(request.originalUrl))) return configured?.(request, reply) === true;
    reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED_HEADERS);
    if (request.method !== 'OPTIONS') return false;
    answerPreflight(reply, BROWSER_HEADERS);
    return true;
  };
}

function ofOrigins(origins: readonly string[]): Cors | undefined {
  if (origins.length === 0) return undefined;
  const allowed = new Set(origins);
  const any = allowed.has('*');
  return ({ method, headers }, reply) => {
    const { origin } = headers;
    if (any) reply.header('access-control-allow-origin', '*');
    else if (origin !== undefined && allowed.has(origin)) reply.header('access-control-allow-origin', origin);
    if (!any) reply.header('vary', 'Origin');
    reply.header('access-control-expose-headers', EXPOSED_HEADERS);
    if (method !== 'OPTIONS') return false;
    reply.header('vary', any ? 'Access-Control-Request-Headers' : 'Origin, Access-Control-Request-Headers');
    answerPreflight(reply, headers['access-control-request-headers']);
    return true;
  };
}

function answerPreflight(reply: HttpReply, allowedHeaders: string | undefined): void {
  reply.header('access-control-allow-methods', METHODS).header('access-control-max-age', String(DAY_SECONDS));
  if (allowedHeaders !== undefined) reply.header('access-control-allow-headers', allowedHeaders);
  reply.status(204).header('content-length', '0').send();
}
