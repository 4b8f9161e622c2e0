import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { shown } from '#libs/http-kit';
import {
  STEP_STATUSES,
  STEP_TYPES,
  type StepStatus,
  type StepType,
  type TriggerEventRecord,
} from '../delivery/index.js';
import type { RefusedTriggerRecord } from './refused-triggers.js';
import { TRIGGER_STATUSES, type TriggerStatus } from './trigger-hints.js';

/** The result of a trigger. */
export class TriggerResponse {
  /** Always true. */
  acknowledged: true;

  /**
   * `processed`: the event is stored and will be delivered. Every other status gives the reason why nothing will be
   * delivered.
   */
  @ApiProperty({ enum: TRIGGER_STATUSES, example: 'processed' })
  status: TriggerStatus;

  /**
   * The id that was sent, or a generated one. GET /v1/events/trigger/{transactionId} shows the state of the event. If
   * the event was not accepted, the id can be used again.
   * @example order-4711
   */
  transactionId: string;

  /**
   * Only with the status `error`: the faults of the event.
   * @example ["name must be a string"]
   */
  error?: string[];

  /**
   * Only if nothing will be delivered: why, and what to do about it.
   * @example "The workflow is not active. Switch it on with PUT /v1/workflows/{workflowId}/status."
   */
  hint?: string;
}

export function showTrigger(status: TriggerStatus, transactionId: string, hint?: string): TriggerResponse {
  return shown(TriggerResponse, { acknowledged: true, status, transactionId, hint });
}

export function showFailedTrigger(error: string[], transactionId: string, hint: string): TriggerResponse {
  return shown(TriggerResponse, { acknowledged: true, status: 'error', transactionId, error, hint });
}

const STATES = ['expanding', 'expanded', 'canceled', 'failed'] as const;

/** Numbers of notifications by their status. */
export class NotificationOutcomes {
  /** Not ended yet: in delivery, delayed, or collecting a digest. @example 0 */
  active: number;
  /** Ended, and no step has failed for good. @example 2 */
  completed: number;
  /** A step has failed. @example 1 */
  failed: number;
  /** The event is in the digest of another notification, which sends it. @example 0 */
  merged: number;
  /** Canceled before the end. @example 0 */
  canceled: number;
}

/** What came of one step of the workflow. */
export class EventStep {
  /** Record id of the step. */
  stepId: string;

  /** Channel or action of the step. */
  @ApiProperty({ type: 'string', enum: STEP_TYPES, example: 'email' })
  type: StepType;

  /** Numbers of notifications by the status that this step has in them; without statuses that none has. */
  @ApiProperty({
    type: 'object',
    properties: Object.fromEntries(STEP_STATUSES.map((status) => [status, { type: 'integer' }])),
    example: { completed: 2, failed: 1 },
  })
  outcomes: Partial<Record<StepStatus, number>>;
}

/** What came of an event so far. */
export interface EventOutcome {
  readonly ended: boolean;
  readonly outcomes: NotificationOutcomes;
  readonly steps: EventStep[];
  readonly notificationIds: string[];
}

/** The state of an event. Its notifications have their own states. */
export class EventResponse {
  /** @example order-4711 */
  transactionId: string;

  /** Status that the trigger returned; the last one if it was sent several times. */
  @ApiProperty({ enum: TRIGGER_STATUSES, example: 'processed' })
  status: TriggerStatus;

  /**
   * For `processed` events: `expanding` while the notifications are being created, `expanded` when all exist,
   * `canceled`, or `failed` if it was set aside because workers repeatedly ended unexpectedly while expanding it.
   */
  @ApiPropertyOptional({ enum: STATES, example: 'expanded' })
  state?: (typeof STATES)[number];

  /**
   * Whether everything that the event causes is done: all its notifications exist and have ended. A replay begins one
   * anew.
   */
  ended: boolean;

  /** For `processed` events: its notifications by status. Up to ten seconds old for 100,000 notifications. */
  outcomes?: NotificationOutcomes;

  /** For `processed` events: what came of each step. */
  @ApiPropertyOptional({ type: [EventStep] })
  steps?: EventStep[];

  /** For `processed` events: ids of the newest 100 notifications. */
  notificationIds?: string[];

  /**
   * For `processed` events: number of notifications created so far. List them with GET
   * /v1/notifications?transactionId=.
   * @example 3
   */
  notifications?: number;

  /**
   * Why nothing is delivered, and how to fix it.
   * @example "There is no tenant 'acme'. Create it with POST /v1/tenants."
   */
  reason?: string;

  /**
   * With the status `error`, unless it was part of a bulk call: the code of the error.
   * @example workflow_not_found
   */
  code?: string;

  /** With the status `error`: the faults of the event. */
  error?: string[];

  /**
   * Trigger identifier of the workflow.
   * @example order-shipped
   */
  name?: string;

  /** Record id of the workflow. */
  workflowId?: string;

  /**
   * Identifier of the tenant.
   * @example acme
   */
  tenant?: string;

  /** The workflow override that switched the workflow off for the tenant. */
  overrideId?: string;

  /**
   * Number of triggers with this transaction id that were not delivered.
   * @example 1
   */
  times?: number;

  /**
   * Number of further triggers of the environment that were refused in the same second and are not stored.
   * @example 480
   */
  omitted?: number;

  createdAt: Date;
  updatedAt: Date;
}

export function showAcceptedEvent(event: TriggerEventRecord, outcome: EventOutcome): EventResponse {
  return shown(EventResponse, {
    transactionId: event.transactionId,
    status: 'processed',
    state: event.status,
    notifications: event.expanded,
    ...outcome,
    name: event.name,
    workflowId: event._templateId.toHexString(),
    tenant: event.tenant,
    createdAt: event.createdAt,
    updatedAt: event.updatedAt,
  });
}

export function showRefusedTrigger(row: RefusedTriggerRecord): EventResponse {
  const { transactionId, status, reason, code, error, name, workflowId, tenant, overrideId } = row;
  const { times, omitted, createdAt, updatedAt } = row;
  return shown(EventResponse, {
    transactionId,
    status,
    ended: true,
    reason,
    code,
    error: error && [...error],
    name,
    workflowId,
    tenant,
    overrideId,
    times,
    omitted,
    createdAt,
    updatedAt,
  });
}
