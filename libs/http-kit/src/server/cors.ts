import type { FastifyRequest } from 'fastify';
import type { HttpReply } from '../request/http-request.js';
import { WARNING_HEADER } from '../validation/warning-header.js';

const DAY_SECONDS = 86_400;
const EXPOSED_HEADERS = ['X-Request-Id', 'Retry-After', 'Idempotency-Key', 'Idempotency-Replay', WARNING_HEADER].join(
  ',',
);
const METHODS = 'GET,HEAD,PUT,PATCH,POST,DELETE';

/** Sets the headers of a response to a page of another origin. @returns true if that answered the request: a preflight */
export type Cors = (request: FastifyRequest, reply: HttpReply) => boolean;

/** @param origins that browsers may call from; `*` for any. Without origins there is nothing to set. */
export function corsOf(origins: readonly string[]): Cors | undefined {
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
    answerPreflight(reply, headers['access-control-request-headers'], any);
    return true;
  };
}

function answerPreflight(reply: HttpReply, asked: string | undefined, any: boolean): void {
  reply.header('vary', any ? 'Access-Control-Request-Headers' : 'Origin, Access-Control-Request-Headers');
  reply.header('access-control-allow-methods', METHODS).header('access-control-max-age', String(DAY_SECONDS));
  if (asked !== undefined) reply.header('access-control-allow-headers', asked);
  void reply.code(204).header('content-length', '0').send();
}
