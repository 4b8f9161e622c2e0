import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Observable, tap } from 'rxjs';
import { type HttpReply, warn } from '#libs/http-kit';
import { triggerIdentifier } from './trigger-identifier.js';
import type { WorkflowResponse } from './workflow.response.js';

/** Two workflows may have one name: whoever creates the second one is told that triggers by the former identifier reach the first. */
@Injectable()
export class SameNameInterceptor implements NestInterceptor<WorkflowResponse> {
  intercept(context: ExecutionContext, next: CallHandler<WorkflowResponse>): Observable<WorkflowResponse> {
    return next.handle().pipe(
      tap(({ name, triggers: [trigger] }) => {
        const expected = triggerIdentifier(name, false);
        const identifier = trigger?.identifier ?? expected;
        if (!identifier.startsWith(`${expected}-`)) return;
        warn(
          context.switchToHttp().getResponse<HttpReply>(),
          `another workflow has the identifier ${expected}. Trigger the new one as ${identifier}`,
        );
      }),
    );
  }
}
