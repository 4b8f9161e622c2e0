import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Observable, tap } from 'rxjs';
import { type HttpReply, type HttpRequest, warnOfUnchanged } from '#libs/http-kit';
import type { WorkflowResponse } from './workflow.response.js';

const SWITCHES = ['active', 'draft'] as const;

/**
 * Updates cannot activate or deactivate a workflow. Clients may send both fields back as read; other values are ignored
 * with a warning.
 */
@Injectable()
export class SwitchesInterceptor implements NestInterceptor<WorkflowResponse> {
  intercept(context: ExecutionContext, next: CallHandler<WorkflowResponse>): Observable<WorkflowResponse> {
    const http = context.switchToHttp();
    const sent = (http.getRequest<HttpRequest>().body ?? {}) as Readonly<Record<string, unknown>>;
    return next.handle().pipe(
      tap((workflow) => {
        const ignored = SWITCHES.filter((field) => sent[field] !== undefined && sent[field] !== workflow[field]);
        if (ignored.length === 0) return;
        warnOfUnchanged(http.getResponse<HttpReply>(), ignored, 'PUT /v1/workflows/{workflowId}/status');
      }),
    );
  }
}
