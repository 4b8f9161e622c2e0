import { ApiProperty } from '@nestjs/swagger';

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

  /** `processed`: the event is stored and will be delivered. Everything else says why nothing will happen. */
  @ApiProperty({ enum: TRIGGER_STATUSES, example: 'processed' })
  status: TriggerStatus;

  /**
   * The id that was sent or one that was made. An event that was not accepted is not known by it: the same id may be
   * sent again.
   * @example order-4711
   */
  transactionId: string;

  /**
   * With `error` only.
   * @example ["name must be a string"]
   */
  error?: string[];

  static of(status: TriggerStatus, transactionId: string): TriggerResponse {
    return Object.assign(new TriggerResponse(), { acknowledged: true as const, status, transactionId });
  }

  static failed(error: string[], transactionId: string): TriggerResponse {
    return Object.assign(TriggerResponse.of('error', transactionId), { error });
  }
}
