import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { Caller } from '#libs/common';
import type { CallingSubscriber, HttpRequest } from '../request/http-request.js';

/** The tenant of the API key or of the subscriber, as a handler's argument. */
export const Tenant = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const { tenant } = context.switchToHttp().getRequest<HttpRequest>();
  if (tenant === undefined) throw new Error('A public route has no tenant.');
  return tenant;
});

/** Undefined without traces. */
export const TraceParent = createParamDecorator(
  (_data: unknown, context: ExecutionContext): string | undefined =>
    context.switchToHttp().getRequest<HttpRequest>().traceparent,
);

/** The subscriber who calls a route with `@ForSubscribers()`, as a handler's argument. */
export const Subscriber = createParamDecorator((_data: unknown, context: ExecutionContext): CallingSubscriber => {
  const { subscriber } = context.switchToHttp().getRequest<HttpRequest>();
  if (subscriber === undefined) throw new Error('The route is not for subscribers.');
  return subscriber;
});
