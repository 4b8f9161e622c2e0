import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { shown } from '#libs/http-kit';
import {
  type NewAttachment,
  type NewEvent,
  NOTIFICATION_STATUSES,
  type NotificationStatus,
  type RehearsedEvent,
  type RehearsedRecipient,
} from '../delivery/index.js';
import type { ResolvedWorkflow } from '../../content/workflows/index.js';
import { DryRunStepResponse, showDryRunStep } from './dry-run-step.response.js';
import { type Refusal } from './refused-triggers.js';
import { TRIGGER_STATUSES, type TriggerStatus } from './trigger-hints.js';

/** A topic among the recipients. */
export class DryRunTopicResponse {
  /** Key of the topic. @example order-4711-watchers */
  topicKey: string;
  /**
   * Number of its subscribers; counted up to 10,000.
   * @example 12
   */
  subscribers: number;
}

/** A segment among the recipients. */
export class DryRunSegmentResponse {
  /** Your identifier of the segment. @example trials */
  segmentId: string;
  /**
   * Number of its subscribers.
   * @example 1204
   */
  subscribers: number;
}

/** A file of the event. */
export class DryRunAttachmentResponse {
  /** File name. @example invoice.pdf */
  name: string;
  /** Media type. @example application/pdf */
  mime: string;
  /** Size in bytes. @example 48213 */
  size: number;
}

const CHANGES = ['none', 'create', 'update'] as const;

/** What one recipient would get. */
export class DryRunRecipientResponse {
  /** Your identifier of the subscriber. @example ada */
  subscriberId: string;
  /** What the trigger would do to the stored subscriber. */
  @ApiProperty({ enum: CHANGES, example: 'none' })
  subscriberChange: (typeof CHANGES)[number];
  /**
   * The status that the notification would end with; `active` if a webhook of a condition failed, so that it would be asked
   * again later.
   */
  @ApiProperty({ enum: NOTIFICATION_STATUSES, example: 'completed' })
  status: NotificationStatus;
  /** The active steps, in order. */
  @ApiProperty({ type: [DryRunStepResponse] })
  steps: DryRunStepResponse[];
}

/** What a trigger would do. */
export class DryRunResponse {
  /** The status that the trigger would return. */
  @ApiProperty({ enum: TRIGGER_STATUSES, example: 'processed' })
  status: TriggerStatus;
  /**
   * Why nothing would be delivered, and how to fix it.
   * @example "There is no tenant 'acme'. Create it with POST /v1/tenants."
   */
  reason?: string;
  /** The workflow override that switches the workflow off for the tenant. */
  overrideId?: string;
  /** Record id of the workflow. */
  workflowId?: string;
  /** Identifier of the tenant. @example acme */
  tenant?: string;
  /** Payload with the default values of variables, without files. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  payload?: Record<string, unknown>;
  /** Files that would be attached. */
  @ApiProperty({ type: [DryRunAttachmentResponse] })
  attachments: DryRunAttachmentResponse[];
  /**
   * Number of recipients that `to` lists, without members of topics and segments.
   * @example 1
   */
  listed: number;
  /** The topics in `to`. */
  @ApiProperty({ type: [DryRunTopicResponse] })
  topics: DryRunTopicResponse[];
  /** The segments in `to`. */
  @ApiProperty({ type: [DryRunSegmentResponse] })
  segments: DryRunSegmentResponse[];
  /** The first recipients, at most `limit`. */
  @ApiProperty({ type: [DryRunRecipientResponse] })
  recipients: DryRunRecipientResponse[];
}

export function showRefusedDryRun({
  status,
  reason,
  overrideId,
  workflowId,
  tenant,
}: Pick<Refusal, 'reason' | 'overrideId' | 'workflowId' | 'tenant'> & {
  readonly status: TriggerStatus;
}): DryRunResponse {
  return shown(DryRunResponse, {
    status,
    reason,
    overrideId,
    workflowId,
    tenant,
    attachments: [],
    listed: 0,
    topics: [],
    segments: [],
    recipients: [],
  });
}

export function showDryRun({
  workflow,
  event,
  files,
  topics,
  segments,
  recipients,
}: RehearsedEvent & {
  readonly workflow: ResolvedWorkflow;
  readonly event: NewEvent;
  readonly files: readonly NewAttachment[];
}): DryRunResponse {
  const { payload, tenant } = event;
  return shown(DryRunResponse, {
    status: 'processed',
    workflowId: workflow.id,
    tenant,
    payload,
    attachments: files.map(({ name, mime, content }) =>
      shown(DryRunAttachmentResponse, { name, mime, size: content.length }),
    ),
    listed: event.recipients.list.length,
    topics: [...topics].map(([topicKey, subscribers]) => shown(DryRunTopicResponse, { topicKey, subscribers })),
    segments: [...segments].map(([segmentId, subscribers]) => shown(DryRunSegmentResponse, { segmentId, subscribers })),
    recipients: recipients.map(showRecipient),
  });
}

function showRecipient({ run, change, steps }: RehearsedRecipient): DryRunRecipientResponse {
  return shown(DryRunRecipientResponse, {
    subscriberId: run.record.subscriberId,
    subscriberChange: change,
    status: run.record.status,
    steps: steps.map(showDryRunStep),
  });
}
