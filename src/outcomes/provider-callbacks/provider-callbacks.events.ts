import type { MessageStatus } from '../../engine/messages/records/index.js';
import type { TenantContext } from '#libs/common';

export interface ReportedStatus {
  readonly messageId: string;
  readonly status: MessageStatus;
  /** As reported by the provider, otherwise the time of the report. */
  readonly at: Date;
  readonly key: string;
  readonly response?: string;
  /** Of opens and clicks that Herald follows itself. True: a program did it, and the status of the message is as before. */
  readonly machine?: boolean;
  /** Of clicks that Herald follows itself: where the link leads. */
  readonly url?: string;
}

/**
 * A provider reported statuses of messages. It gets its response after all listeners have finished and repeats the
 * report if one fails, so listeners may receive it twice. Opens and clicks that Herald follows itself come the same way, and twice
 * where a process died over them.
 */
export class MessagesReported {
  constructor(
    readonly owner: Pick<TenantContext, 'organizationId' | 'environmentId'>,
    readonly reports: readonly ReportedStatus[],
  ) {}
}
