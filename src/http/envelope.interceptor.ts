import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { type HttpReply, Rows, writePage } from '#libs/http-kit';
import { inTurns } from '#libs/worker-pool';

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * By type, never by the presence of a `data` property: rows become `{ data, page, ... }`, other values `{ data }`,
 * undefined no body.
 */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((value: unknown) => enveloped(value, context)));
  }
}

/** A promise for many rows, which Nest awaits. */
function enveloped(value: unknown, context: ExecutionContext): unknown {
  if (value === undefined || value instanceof StreamableFile) return value;
  if (!(value instanceof Rows)) return { data: value };
  context.switchToHttp().getResponse<HttpReply>().type(JSON_TYPE);
  // In portions, because a page can have many large rows. Most pages are one portion.
  const writing = writePage(value);
  const first = writing.next();
  return first.done === true ? first.value : inTurns(writing);
}
