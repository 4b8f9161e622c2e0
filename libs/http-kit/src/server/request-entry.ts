import { HTTP_REQUESTS, traces } from '#libs/telemetry';
import { DuplicateHost, RouteNotFound, UnreadablePath } from '../errors/common.errors.js';
import type { ErrorAnswers } from '../errors/error-answers.js';
import type { AppLogger } from '../logging/app-logger.js';
import type { Entry } from '../platform/http-platform.js';
import { type HttpReply, type HttpRequest, pathOf, routeOf } from '../request/http-request.js';
import type { Cors } from './cors.js';

const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "base-uri 'self'",
  "font-src 'self' https: data:",
  "form-action 'self'",
  "frame-ancestors 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "script-src-attr 'none'",
  "style-src 'self' https: 'unsafe-inline'",
].join(';');

/** Browsers must not guess types, or frame, index or share responses. */
const FIXED_HEADERS = Object.entries({
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
});

/** Its answers hold data of people, and sometimes keys. Routes may say otherwise. */
const API = /^\/+v1(?:[/?]|$)/i;

/** Requests that are logged at level debug. */
export interface QuietRequests {
  /** Routes polled by machines, which are not traced either. */
  readonly probes?: readonly string[];
  /** Paths of pages and their files. What goes wrong with them is logged as usual. */
  readonly files?: RegExp;
}

/** Runs first for every request, with or without a route. */
export class RequestEntry implements Entry {
  private readonly probes: ReadonlySet<string>;
  private readonly files: RegExp | undefined;

  constructor(
    private readonly logger: AppLogger,
    private readonly errors: ErrorAnswers,
    private readonly cors: Cors,
    { probes = [], files }: QuietRequests = {},
  ) {
    this.probes = new Set(probes);
    this.files = files;
  }

  /** @returns false if the connection is closed or the request was answered here */
  admits(request: HttpRequest, reply: HttpReply): boolean {
    if (request.raw.socket.destroyed) return false;
    this.followToEnd(request, reply);
    for (const [name, value] of FIXED_HEADERS) reply.header(name, value);
    reply.header('x-request-id', request.id);
    if (API.test(request.originalUrl)) reply.header('cache-control', 'no-store');
    if (this.cors(request, reply)) return false;
    if (!hasTwoHosts(request.raw.rawHeaders)) return true;
    // Proxies and servers may each use a different one of the two.
    reply.header('connection', 'close');
    this.errors.answer(new DuplicateHost(), request, reply);
    return false;
  }

  missing({ method, originalUrl }: HttpRequest): Error {
    return new RouteNotFound(method, pathOf(originalUrl));
  }

  refuseUnreadable(request: HttpRequest, reply: HttpReply): void {
    this.errors.answer(new UnreadablePath(), request, reply);
  }

  private isQuiet(route: string, { originalUrl }: HttpRequest, status: number | 'aborted'): boolean {
    if (this.probes.has(route)) return true;
    return this.files?.test(pathOf(originalUrl)) === true && status !== 'aborted' && status < 400;
  }

  /** By the pattern of the route, because URLs contain data of callers. */
  private followToEnd(request: HttpRequest, { raw }: HttpReply): void {
    const started = performance.now();
    const span = this.probes.has(request.originalUrl) ? undefined : traces.begin(callersSpan(request));
    request.traceparent = span?.traceparent;
    raw.once('close', () => {
      const { id: requestId, method } = request;
      const route = routeOf(request) ?? 'unmatched';
      const status = raw.writableFinished ? raw.statusCode : 'aborted';
      const ms = performance.now() - started;
      this.logger.request(
        { requestId, method, route, status, ms: Math.round(ms * 10) / 10 },
        this.isQuiet(route, request, status) ? 'debug' : 'info',
      );
      HTTP_REQUESTS.observeMs({ method, route, status: String(status) }, ms);
      span?.end({
        name: `${method} ${route}`,
        attributes: {
          'http.request.method': method,
          'http.route': route,
          'http.response.status_code': raw.statusCode,
          'herald.request_id': requestId,
        },
        hasFailed: status === 'aborted' || status >= 500,
      });
    });
  }
}

function callersSpan({ headers: { traceparent } }: HttpRequest): string | undefined {
  return typeof traceparent === 'string' ? traceparent : undefined;
}

/** @param rawHeaders names and values in turn, as received */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}
