import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { Page } from '../page.js';

/** Wraps every result in `data`. Decides by type, never by guessing at a `data` property (decisions 3.1). */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map(wrap));
  }
}

function wrap(result: unknown): unknown {
  if (result instanceof Page) return { ...result };
  return result === undefined ? undefined : { data: result };
}
