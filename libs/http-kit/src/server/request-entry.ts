import { HTTP_REQUESTS, traces } from '#libs/telemetry';
import type { AppLogger } from '../logging/app-logger.js';
import type { HttpReply, HttpRequest } from '../request/http-request.js';
import type { Cors } from './cors.js';
import { FIXED_HEADERS } from './fixed-headers.js';

/** What every request passes first, whether or not there is a route for it. */
export class RequestEntry {
  constructor(
    private readonly logger: AppLogger,
    private readonly cors: Cors,
    /** Routes that are asked so often that they are logged at level debug, and not traced. */
    private readonly probes: ReadonlySet<string>,
  ) {}

  /** @returns false if the request needs no further work: its connection is closed, or it was answered here */
  admits(request: HttpRequest, reply: HttpReply): boolean {
    if (request.raw.socket.destroyed) return false;
    this.followToEnd(request, reply);
    reply.headers(FIXED_HEADERS).header('x-request-id', request.id);
    return !this.cors(request, reply);
  }

  /**
   * Logs, counts and traces each response by the pattern of its route, because a URL contains data of callers.
   */
  private followToEnd(request: HttpRequest, { raw }: HttpReply): void {
    const started = performance.now();
    const span = this.probes.has(request.originalUrl) ? undefined : traces.begin(callersSpan(request));
    request.traceparent = span?.traceparent;
    raw.once('close', () => {
      const { id: requestId, method, route = 'unmatched' } = request;
      const status = raw.writableFinished ? raw.statusCode : 'aborted';
      const ms = performance.now() - started;
      this.logger.request(
        { requestId, method, route, status, ms: Math.round(ms * 10) / 10 },
        this.probes.has(route) ? 'debug' : 'info',
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
