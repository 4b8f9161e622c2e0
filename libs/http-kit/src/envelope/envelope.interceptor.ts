import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { mergeMap, type Observable } from 'rxjs';
import { inTurns } from '#libs/worker-pool';
import { Page, writePage } from './page.js';

/** Wraps every result in `data`, by its type and never by the presence of a `data` property. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(mergeMap((result) => this.wrap(context, result)));
  }

  /** Written in portions, because a page can have many large rows. */
  private async wrap(context: ExecutionContext, result: unknown): Promise<unknown> {
    if (!(result instanceof Page)) return result === undefined ? undefined : { data: result };
    const json = await inTurns(writePage(result));
    context.switchToHttp().getResponse<Response>().type('application/json');
    return json;
  }
}
