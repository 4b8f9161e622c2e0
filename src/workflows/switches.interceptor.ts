import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Observable, tap } from 'rxjs';
import { warnOfUnchanged } from '#libs/http-kit';
import type { WorkflowResponse } from './workflow.response.js';

const SWITCHES = ['active', 'draft'] as const;

/**
 * Updates of a workflow do not switch it on or off. Clients that send both fields back as they have read them are fine;
 * other values look like a change, so a warning says that there was none.
 */
@Injectable()
export class SwitchesInterceptor implements NestInterceptor<WorkflowResponse> {
  intercept(context: ExecutionContext, next: CallHandler<WorkflowResponse>): Observable<WorkflowResponse> {
    const http = context.switchToHttp();
    const sent = (http.getRequest<Request>().body ?? {}) as Readonly<Record<string, unknown>>;
    return next.handle().pipe(
      tap((workflow) => {
        const ignored = SWITCHES.filter((field) => sent[field] !== undefined && sent[field] !== workflow[field]);
        if (ignored.length === 0) return;
        warnOfUnchanged(http.getResponse<Response>(), ignored, 'PUT /v1/workflows/{workflowId}/status');
      }),
    );
  }
}
