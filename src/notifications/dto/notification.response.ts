import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { ConditionGroup } from '#libs/conditions';
import { ExecutionDetailResponse } from '../../execution-details/index.js';
import type { ResolvedSubscriber } from '../../subscribers/index.js';
import { type ResolvedWorkflow, WorkflowTriggerResponse } from '../../workflows/index.js';
import {
  NOTIFICATION_STATUSES,
  type NotificationRecord,
  type NotificationStatus,
  STEP_STATUSES,
  STEP_TYPES,
  type StepState,
  type StepStatus,
  type StepType,
} from '../notification.record.js';
import type { TriggerEventRecord } from '../trigger-event.record.js';

/** What belongs to a notification. */
export interface NotificationParts {
  readonly subscriber: ResolvedSubscriber | undefined;
  readonly workflow: ResolvedWorkflow | undefined;
  readonly event: TriggerEventRecord | undefined;
  readonly details: readonly ExecutionDetailResponse[];
  readonly now: Date;
}

/** Whom a notification is for. */
export class NotificationSubscriberResponse {
  _id: string;
  /** @example ann */
  subscriberId: string;
  /** @example Ann */
  firstName?: string;
  /** @example Lee */
  lastName?: string;
  /** @example ann@example.com */
  email?: string;
  /** @example +15551230100 */
  phone?: string;
}

/** Which workflow a notification runs. */
export class NotificationTemplateResponse {
  _id: string;
  /** @example Welcome */
  name: string;
  @ApiProperty({ type: [WorkflowTriggerResponse] })
  triggers: WorkflowTriggerResponse[];
}

/** The workflow's step that a job runs. */
interface JobStep {
  readonly _id: string;
  /** Equal to `_id`. */
  readonly _templateId: string;
  readonly uuid?: string;
  readonly name?: string;
  readonly type: StepType;
  readonly active: boolean;
  /** Empty where the workflow has the step no more. */
  readonly filters: readonly ConditionGroup[];
}

/** One step of a notification's run. */
export class JobResponse {
  /** The `_jobId` of messages and execution details. */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  @ApiProperty({ enum: STEP_TYPES })
  type: StepType;
  /**
   * `pending` not reached, `queued` waits for a worker or its next attempt, `running`, `delayed` waits for its time,
   * `merged` went into another digest, `completed`, `skipped` by conditions, preferences or a digest rule, `failed`,
   * `canceled`.
   */
  @ApiProperty({ enum: STEP_STATUSES })
  status: StepStatus;
  /** The workflow's step. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  step: JobStep;
  /** @example smtp */
  providerId?: string;
  /** Attempts at the integration that is, or was last, tried. */
  attempt: number;
  /** Why it was skipped, failed or was canceled: a stable word. */
  reason?: string;
  /** What went wrong last, for people. */
  error?: string;
  /** Every attempt is used up; it can be replayed. */
  deadLetter?: boolean;
  /** The notification whose digest took this one's event. */
  _mergedDigestNotificationId?: string;
  startedAt?: Date;
  finishedAt?: Date;
  /** When it goes on. */
  dueAt?: Date;
  @ApiProperty({ type: [ExecutionDetailResponse] })
  executionDetails: ExecutionDetailResponse[];
}

/** One recipient's run of one event. */
export class NotificationResponse {
  _id: string;
  /** Equal to `_id`. */
  id: string;
  _environmentId: string;
  _organizationId: string;
  /** Record id of the subscriber. */
  _subscriberId: string;
  /** Record id of the workflow. */
  _templateId: string;
  /** @example order-4711 */
  transactionId: string;
  @ApiProperty({ enum: NOTIFICATION_STATUSES })
  status: NotificationStatus;
  @ApiProperty({ enum: STEP_TYPES, isArray: true })
  channels: StepType[];
  /** @example ["orders"] */
  tags?: string[];
  /** As it was triggered, with default values. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  payload?: Record<string, unknown>;
  subscriber?: NotificationSubscriberResponse;
  template?: NotificationTemplateResponse;
  /** The steps, in order. */
  @ApiProperty({ type: [JobResponse] })
  jobs: JobResponse[];
  createdAt: Date;
  updatedAt: Date;

  static from(row: NotificationRecord, parts: NotificationParts): NotificationResponse {
    const { subscriber, workflow, event } = parts;
    return Object.assign(new NotificationResponse(), {
      _id: row._id.toHexString(),
      id: row._id.toHexString(),
      _environmentId: row._environmentId.toHexString(),
      _organizationId: row._organizationId.toHexString(),
      _subscriberId: row._subscriberId.toHexString(),
      _templateId: row._templateId.toHexString(),
      transactionId: row.transactionId,
      status: row.status,
      channels: row.channels,
      ...(row.tags && { tags: row.tags }),
      ...(event && { payload: event.payload }),
      subscriber: toSubscriber(row, subscriber),
      ...(workflow && { template: toTemplate(workflow) }),
      jobs: row.steps.map((state, place) => toJob(row, state, place, parts)),
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
    });
  }
}

function toSubscriber(
  row: NotificationRecord,
  subscriber: ResolvedSubscriber | undefined,
): NotificationSubscriberResponse {
  const { firstName, lastName, email, phone } = subscriber ?? {};
  return {
    _id: row._subscriberId.toHexString(),
    subscriberId: row.subscriberId,
    ...(firstName !== undefined && { firstName }),
    ...(lastName !== undefined && { lastName }),
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { phone }),
  };
}

function toTemplate({ id, name, identifier, trigger }: ResolvedWorkflow): NotificationTemplateResponse {
  return { _id: id, name, triggers: [WorkflowTriggerResponse.of(identifier, trigger)] };
}

function toJob(
  row: NotificationRecord,
  state: StepState,
  place: number,
  { workflow, details, now }: NotificationParts,
): JobResponse {
  const id = state._id.toHexString();
  const stepId = state.stepId.toHexString();
  const step = workflow?.steps.find((candidate) => candidate.id === stepId);
  return Object.assign(new JobResponse(), {
    _id: id,
    id,
    type: state.type,
    status: shownStatus(row, state, place, now),
    step: {
      _id: stepId,
      _templateId: stepId,
      ...(step && { uuid: step.uuid, ...(step.name !== undefined && { name: step.name }) }),
      type: state.type,
      active: true,
      filters: step?.filters ?? [],
    },
    ...(state.providerId !== undefined && { providerId: state.providerId }),
    attempt: state.attempt,
    ...(state.reason !== undefined && { reason: state.reason }),
    ...(state.error !== undefined && { error: state.error }),
    ...(state.deadLetter === true && { deadLetter: true }),
    ...(state.status === 'merged' && row.digestInto && { _mergedDigestNotificationId: row.digestInto.toHexString() }),
    ...(state.startedAt && { startedAt: state.startedAt }),
    ...(state.finishedAt && { finishedAt: state.finishedAt }),
    ...(state.dueAt && { dueAt: state.dueAt }),
    executionDetails: details.filter(({ _jobId }) => _jobId === id),
  });
}

/** A step that was claimed is at work although the claim does not say so in it. */
function shownStatus(row: NotificationRecord, state: StepState, place: number, now: Date): StepStatus {
  const isAtWork = row.lease !== undefined && row.wakeAt !== undefined && row.wakeAt > now && place === row.current;
  return isAtWork && (state.status === 'queued' || state.status === 'pending') ? 'running' : state.status;
}
