import type { AppLogger } from '../logging/app-logger.js';
import type { HttpReply, HttpRequest } from '../request/http-request.js';
import type { Cors } from './cors.js';
import { FIXED_HEADERS } from './fixed-headers.js';

/** What every request passes first, whether or not there is a route for it. */
export class RequestEntry {
  constructor(
    private readonly logger: AppLogger,
    private readonly cors: Cors,
  ) {}

  /** @returns false if the request needs no further work: its connection is closed, or it was answered here */
  admits(request: HttpRequest, reply: HttpReply): boolean {
    if (request.raw.socket.destroyed) return false;
    this.logEnd(request, reply);
    reply.headers(FIXED_HEADERS).header('x-request-id', request.id);
    return !this.cors(request, reply);
  }

  /**
   * Logs one line per response. It logs the pattern of the route, because a URL contains data of callers.
   */
  private logEnd(request: HttpRequest, { raw }: HttpReply): void {
    const started = performance.now();
    raw.once('close', () => {
      this.logger.request({
        requestId: request.id,
        method: request.method,
        route: request.route ?? 'unmatched',
        status: raw.writableFinished ? raw.statusCode : 'aborted',
        ms: Math.round((performance.now() - started) * 10) / 10,
      });
    });
  }
}
