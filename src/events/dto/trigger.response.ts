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
   * With `processed` only.
   * @example order-4711
   */
  transactionId?: string;

  /**
   * With `error` only.
   * @example ["name must be a string"]
   */
  error?: string[];

  static of(status: Exclude<TriggerStatus, 'processed' | 'error'>): TriggerResponse {
    return Object.assign(new TriggerResponse(), { acknowledged: true as const, status });
  }

  static processed(transactionId: string): TriggerResponse {
    return Object.assign(new TriggerResponse(), {
      acknowledged: true as const,
      status: 'processed' as const,
      transactionId,
    });
  }

  static failed(error: string[]): TriggerResponse {
    return Object.assign(new TriggerResponse(), { acknowledged: true as const, status: 'error' as const, error });
  }
}
