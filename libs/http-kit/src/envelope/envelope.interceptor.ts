import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { map, type Observable } from 'rxjs';
import { Page } from '../page.js';
import { RAW_RESPONSE } from '../decorators/raw-response.js';

/** Wraps every result in `data`. Decides by type, never by guessing at a `data` property (decisions 3.1). */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const raw = this.reflector.getAllAndOverride<boolean | undefined>(RAW_RESPONSE, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (raw === true) return next.handle();
    return next.handle().pipe(map(wrap));
  }
}

function wrap(result: unknown): unknown {
  if (result instanceof Page) return { ...result };
  return result === undefined ? undefined : { data: result };
}
