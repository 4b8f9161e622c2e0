import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type ConditionGroup, conditionGroup } from '#libs/conditions';
import { apiListOf, PlainRecordResponse, shower, shown } from '#libs/http-kit';
import {
  mayBeSent,
  NOTIFICATION_STATUSES,
  type NotificationRecord,
  type NotificationStatus,
  STEP_STATUSES,
  STEP_TYPES,
  type StepState,
  type StepStatus,
  type StepType,
  type TriggerEventRecord,
} from '../../engine/delivery/index.js';
import { ExecutionDetailResponse, explanationOf, ExplanationResponse } from '../../engine/execution-details/index.js';
import type { ResolvedSubscriber } from '../../audience/subscribers/index.js';
import { type ResolvedWorkflow, showWorkflowTrigger, WorkflowTriggerResponse } from '../../content/workflows/index.js';
import { historyOf } from './job-history.js';
import { JobHistoryResponse } from './job-history.response.js';

/** The records that a notification response is built from. */
export interface NotificationParts {
  readonly subscriber: ResolvedSubscriber | undefined;
  readonly workflow: ResolvedWorkflow | undefined;
  readonly event: TriggerEventRecord | undefined;
  readonly details: readonly ExecutionDetailResponse[];
  readonly now: Date;
  /** Shows the history of each step. */
  readonly withHistory: boolean;
}

/** Recipient of a notification. */
export class NotificationSubscriberResponse {
  _id: string;
  /**
   * Your identifier of the subscriber.
   * @example ada
   */
  subscriberId: string;
  /**
   * First name.
   * @example Ada
   */
  firstName?: string;
  /**
   * Last name.
   * @example Lovelace
   */
  lastName?: string;
  /**
   * Email address.
   * @example ada@example.com
   */
  email?: string;
  /**
   * Phone number with country code.
   * @example +15551230100
   */
  phone?: string;
}

/** Workflow of a notification. */
export class NotificationTemplateResponse {
  _id: string;
  /**
   * Display name of the workflow.
   * @example Welcome
   */
  name: string;
  /** How the workflow is triggered. */
  @ApiProperty({ type: [WorkflowTriggerResponse] })
  triggers: WorkflowTriggerResponse[];
}

/** The step of the workflow that a job runs. */
export class JobStepResponse {
  /** Id of the step. */
  readonly _id: string;
  /** Equal to `_id`. */
  readonly _templateId: string;
  /** Identifies the step in conditions of later steps. */
  readonly uuid?: string;
  /** Name of the step. */
  readonly name?: string;
  /** Type of the step. */
  @ApiProperty({ type: 'string', enum: STEP_TYPES })
  readonly type: StepType;
  /** Always true: inactive steps are not part of a run. */
  readonly active: boolean;
  /** Groups of conditions of the step; empty if the workflow no longer has the step. */
  @ApiProperty(apiListOf(conditionGroup))
  readonly filters: readonly ConditionGroup[];
}

/** One step of a notification's run. */
export class JobResponse {
  /** The `_jobId` of messages and execution details. */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  /** Type of the step. */
  @ApiProperty({ type: 'string', enum: STEP_TYPES })
  type: StepType;
  /**
   * `pending`: not reached; `queued`: waits for a worker or its next attempt; `running`; `delayed`: waits until
   * `dueAt`; `merged`: part of another notification's digest; `completed`; `skipped`: by conditions, preferences or a
   * digest rule; `failed`; `canceled`.
   */
  @ApiProperty({ enum: STEP_STATUSES })
  status: StepStatus;
  /** The workflow's step. */
  @ApiProperty({ type: () => JobStepResponse })
  step: JobStepResponse;
  /**
   * Provider that was called last.
   * @example smtp
   */
  providerId?: string;
  /** Number of attempts with the integration that was used last. */
  attempt: number;
  /** Stable code of the reason why the step was skipped, failed or canceled, or waits for its next attempt. */
  reason?: string;
  /** Description of the last error. */
  error?: string;
  /** Why the step did not send, and what to do about it; or that the provider reported a failure after it had accepted the message. */
  explanation?: ExplanationResponse;
  /** Whether the step has used all its attempts. It can then be replayed. */
  deadLetter?: boolean;
  /** Whether the provider may have accepted the message of the failed step. Only a replay with `includeUncertain` sends it again. */
  uncertain?: boolean;
  /**
   * Number of replays.
   * @example 1
   */
  replays?: number;
  /** Id of the notification whose digest contains this event. */
  _mergedDigestNotificationId?: string;
  /** Time of the first run. */
  startedAt?: Date;
  /** Time at which the step ended. */
  finishedAt?: Date;
  /** Time at which the step continues. */
  dueAt?: Date;
  /** Execution details of the step. */
  @ApiProperty({ type: [ExecutionDetailResponse] })
  executionDetails: ExecutionDetailResponse[];
  /** Attempts, conditions and reports of the step. Only in GET /v1/notifications/{notificationId}. */
  @ApiPropertyOptional({ type: () => JobHistoryResponse })
  history?: JobHistoryResponse;
}

/** The run of a workflow for one recipient of an event. */
export class NotificationResponse extends PlainRecordResponse {
  /** Record id of the subscriber. */
  _subscriberId: string;
  /** Record id of the workflow. */
  _templateId: string;
  /** @example order-4711 */
  transactionId: string;
  /** State of the run as a whole. */
  @ApiProperty({ enum: NOTIFICATION_STATUSES })
  status: NotificationStatus;
  /** Types of the steps. */
  @ApiProperty({ enum: STEP_TYPES, isArray: true })
  channels: StepType[];
  /**
   * Tags of the workflow.
   * @example ["orders"]
   */
  tags?: string[];
  /** Only on tests: one step, sent by POST /v1/workflows/{workflowId}/steps/{stepId}/test. */
  isTest?: boolean;
  /** Payload of the event, with default values of variables. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  payload?: Record<string, unknown>;
  subscriber?: NotificationSubscriberResponse;
  template?: NotificationTemplateResponse;
  /** The steps, in order. */
  @ApiProperty({ type: [JobResponse] })
  jobs: JobResponse[];
}

/** Number of recent notifications. */
export class NotificationStatsResponse {
  /**
   * Number of notifications in the last 7 days.
   * @example 120
   */
  weeklySent: number;
  /**
   * Number of notifications in the last 30 days.
   * @example 480
   */
  monthlySent: number;
}

/** The notifications of one day. */
export class NotificationDayResponse {
  /**
   * The day, in UTC.
   * @example 2026-01-31
   */
  _id: string;
  /**
   * Number of notifications; each is counted once per type of its steps.
   * @example 17
   */
  count: number;
  /** Record ids of the workflows. */
  templates: string[];
  /** Types of the steps. */
  @ApiProperty({ enum: STEP_TYPES, isArray: true })
  channels: StepType[];
}

export const showNotification = shower(NotificationResponse, (row: NotificationRecord, parts: NotificationParts) => {
  const { subscriber, workflow, event } = parts;
  return {
    _subscriberId: row._subscriberId.toHexString(),
    _templateId: row._templateId.toHexString(),
    transactionId: row.transactionId,
    status: row.status,
    channels: row.channels,
    ...(row.tags && { tags: row.tags }),
    ...(row.isTest && { isTest: true }),
    payload: event?.payload,
    subscriber: toSubscriber(row, subscriber),
    template: workflow && toTemplate(workflow),
    jobs: row.steps.map((state, place) => toJob(row, state, place, parts)),
  };
});

function toSubscriber(
  row: NotificationRecord,
  subscriber: ResolvedSubscriber | undefined,
): NotificationSubscriberResponse {
  const { firstName, lastName, email, phone } = subscriber ?? {};
  return shown(NotificationSubscriberResponse, {
    _id: row._subscriberId.toHexString(),
    subscriberId: row.subscriberId,
    firstName,
    lastName,
    email,
    phone,
  });
}

function toTemplate({ id, name, identifier, trigger }: ResolvedWorkflow): NotificationTemplateResponse {
  return shown(NotificationTemplateResponse, { _id: id, name, triggers: [showWorkflowTrigger(identifier, trigger)] });
}

function toJob(
  row: NotificationRecord,
  state: StepState,
  place: number,
  { workflow, details, now, withHistory }: NotificationParts,
): JobResponse {
  const id = state._id.toHexString();
  const executionDetails = details.filter(({ _jobId }) => _jobId === id);
  const stepId = state.stepId.toHexString();
  const step = workflow?.steps.find((candidate) => candidate.id === stepId);
  const { status, reason, error } = state;
  const explanation = explanationOf({ status, reason, error, details: executionDetails });
  return shown(JobResponse, {
    _id: id,
    id,
    type: state.type,
    status: shownStatus(row, state, place, now),
    step: shown(JobStepResponse, {
      _id: stepId,
      _templateId: stepId,
      uuid: step?.uuid,
      name: step?.name,
      type: state.type,
      active: true,
      filters: step?.filters ?? [],
    }),
    providerId: state.providerId,
    attempt: state.attempt,
    reason: state.reason,
    error: state.error,
    explanation,
    ...(state.deadLetter === true && { deadLetter: true }),
    ...(state.status === 'failed' && mayBeSent(state) && { uncertain: true }),
    replays: state.replays,
    ...(state.status === 'merged' && row.digestInto && { _mergedDigestNotificationId: row.digestInto.toHexString() }),
    ...(state.startedAt && { startedAt: state.startedAt }),
    ...(state.finishedAt && { finishedAt: state.finishedAt }),
    ...(state.dueAt && { dueAt: state.dueAt }),
    executionDetails,
    ...(withHistory && { history: historyOf(executionDetails) }),
  });
}

/** A step that was claimed is at work although the claim does not say so in it. */
function shownStatus(row: NotificationRecord, state: StepState, place: number, now: Date): StepStatus {
  const isAtWork = row.lease !== undefined && row.wakeAt !== undefined && row.wakeAt > now && place === row.current;
  return isAtWork && (state.status === 'queued' || state.status === 'pending') ? 'running' : state.status;
}
