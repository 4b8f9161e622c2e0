import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { AppConfig } from '#libs/config';
import {
  BodyReader,
  type HttpReply,
  type HttpRequest,
  oncePerRoute,
  queryFault,
  type Reads,
  readsOf,
  RouteAccess,
  type RouteHandler,
  ValidationFailed,
  WARNING_HEADER,
  warningsOf,
} from '#libs/http-kit';

/**
 * Runs after the guards: a caller without a key, or over the rate limit, cannot make the process read, decompress or
 * store anything. Public routes state a body limit or read bodies themselves.
 */
@Injectable()
export class BodyInterceptor implements NestInterceptor {
  private readonly isStrict: boolean;
  private readonly readsOf = oncePerRoute(({ controller, name }: RouteHandler) => readsOf(controller, name));

  constructor(
    private readonly routes: RouteAccess,
    private readonly bodies: BodyReader,
    config: AppConfig,
  ) {
    this.isStrict = config.get('STRICT_INPUT');
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<HttpRequest>();
    const fault = queryFault(request);
    if (fault !== undefined) throw new ValidationFailed([fault]);
    const { publicBodyBytes } = this.routes.of(context);
    const isRead = request.tenant !== undefined || publicBodyBytes !== undefined;
    const reply = http.getResponse<HttpReply>();
    const reading = isRead ? this.bodies.readJson(request, reply.raw, publicBodyBytes) : undefined;
    if (reading === undefined) {
      this.reportUnknown(context, request, reply);
      return next.handle();
    }
    return reading.then((body) => {
      request.body = body;
      this.reportUnknown(context, request, reply);
      return next.handle();
    });
  }

  /** In a header, or as an error. */
  private reportUnknown(context: ExecutionContext, request: HttpRequest, reply: HttpReply): void {
    const { caller, isStrict, publicBodyBytes } = this.routes.of(context);
    // The published browser clients send fields that no handler reads.
    if (caller === 'subscriber' || publicBodyBytes !== undefined) return;
    const reads: Reads = this.readsOf(context);
    const warnings = warningsOf(reads, request);
    if (warnings === undefined) return;
    reply.header(WARNING_HEADER, warnings.header);
    if (this.isStrict || isStrict) throw new ValidationFailed(warnings.faults);
  }
}
