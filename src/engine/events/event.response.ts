import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { shown } from '#libs/http-kit';
import type { TriggerEventRecord } from '../delivery/index.js';
import type { RefusedTriggerRecord } from './refused-triggers.js';
import { TRIGGER_STATUSES, type TriggerStatus } from './trigger-checks.js';

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
}

export function showTrigger(status: TriggerStatus, transactionId: string): TriggerResponse {
  return shown(TriggerResponse, { acknowledged: true, status, transactionId });
}

export function showFailedTrigger(error: string[], transactionId: string): TriggerResponse {
  return shown(TriggerResponse, { acknowledged: true, status: 'error', transactionId, error });
}

const STATES = ['expanding', 'expanded', 'canceled', 'failed'] as const;

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

  createdAt: Date;
  updatedAt: Date;
}

export function showAcceptedEvent(event: TriggerEventRecord): EventResponse {
  return shown(EventResponse, {
    transactionId: event.transactionId,
    status: 'processed',
    state: event.status,
    notifications: event.expanded,
    name: event.name,
    workflowId: event._templateId.toHexString(),
    ...(event.tenant !== undefined && { tenant: event.tenant }),
    createdAt: event.createdAt,
    updatedAt: event.updatedAt,
  });
}

export function showRefusedTrigger(row: RefusedTriggerRecord): EventResponse {
  const { transactionId, status, reason, error, name, workflowId, tenant, overrideId, times, createdAt, updatedAt } =
    row;
  return shown(EventResponse, {
    transactionId,
    status,
    reason,
    ...(error && { error: [...error] }),
    ...(name !== undefined && { name }),
    ...(workflowId !== undefined && { workflowId }),
    ...(tenant !== undefined && { tenant }),
    ...(overrideId !== undefined && { overrideId }),
    times,
    createdAt,
    updatedAt,
  });
}
