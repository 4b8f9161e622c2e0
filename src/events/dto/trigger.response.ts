import { ApiProperty } from '@nestjs/swagger';
import { shown } from '#libs/http-kit';

export const TRIGGER_STATUSES = [
  'processed',
  'trigger_not_active',
  'no_workflow_steps_defined',
  'no_workflow_active_steps_defined',
  'no_tenant_found',
  'error',
] as const;
export type TriggerStatus = (typeof TRIGGER_STATUSES)[number];

/** What became of an event that was triggered. */
export class TriggerResponse {
  /** Always true. */
  acknowledged: true;

  /** `processed`: the event is stored and will be delivered. Every other status says why nothing will be delivered. */
  @ApiProperty({ enum: TRIGGER_STATUSES, example: 'processed' })
  status: TriggerStatus;

  /**
   * The id that was sent, or a generated one. GET /v1/events/trigger/{transactionId} shows what happened to it. If the event
   * was not accepted, the same id may be sent again.
   * @example order-4711
   */
  transactionId: string;

  /**
   * With `error` only.
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
