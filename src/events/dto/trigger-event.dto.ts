import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsFreeForm, IsName, IsValidBy, OptionalString } from '#libs/http-kit';
import { parseRecipients, RECIPIENT_FIELDS, SUBSCRIBER_FIELDS } from '../recipients.js';
import { actorFaults, overridesFaults, TENANT_FIELDS, tenantFaults } from '../trigger-fields.js';
import { OVERRIDES_SCHEMA, RECIPIENT_SCHEMAS, SUBSCRIBER_SCHEMA, TENANT_SCHEMA } from './trigger-event.openapi.js';

/** What a trigger and a broadcast have in common. */
export class TriggerBaseDto {
  /**
   * Trigger identifier of the workflow.
   * @example order-shipped
   */
  @IsName()
  name: string;

  /**
   * What this event changes of what the workflow says, by channel (`email`, `sms`, `chat`, `push`) or provider. Further
   * keys are passed on to providers as they are.
   */
  @IsOptional()
  @IsFreeForm()
  @IsValidBy('isOverrides', (value) => overridesFaults(value))
  @ApiPropertyOptional({ ...OVERRIDES_SCHEMA, nullable: true })
  overrides?: Record<string, unknown> | null;

  /**
   * Your own id of this event; generated when absent. The same id again gets the first answer and does nothing more.
   * @example order-4711
   */
  @OptionalString()
  transactionId?: string | null;

  /** Subscriber who caused the event: an id, or an object that creates or updates the subscriber. Empty text: none. */
  @IsOptional()
  @IsValidBy('isActor', (value) => actorFaults(value), () => SUBSCRIBER_FIELDS)
  @ApiPropertyOptional({ oneOf: [{ type: 'string' }, SUBSCRIBER_SCHEMA], example: 'grace' })
  actor?: string | Record<string, unknown> | null;

  /** Identifier of a tenant, or an object with it whose `name` and `data` update the tenant. Empty text: none. */
  @IsOptional()
  @IsValidBy('isTenant', (value) => tenantFaults(value), () => TENANT_FIELDS)
  @ApiPropertyOptional({ oneOf: [{ type: 'string' }, TENANT_SCHEMA], example: 'acme' })
  tenant?: string | Record<string, unknown> | null;
}

export class TriggerEventDto extends TriggerBaseDto {
  /** Recipients: the id of a subscriber, an object that creates or updates one, a topic, or an array of these. */
  @IsValidBy('isRecipients', (value, property) => [...parseRecipients(value, property).faults], () => RECIPIENT_FIELDS)
  @ApiProperty({
    oneOf: [...RECIPIENT_SCHEMAS, { type: 'array', items: { oneOf: RECIPIENT_SCHEMAS } }],
    example: { subscriberId: 'ada', email: 'ada@example.com' },
  })
  to: unknown;

  /** Values that the templates use. */
  @IsOptional()
  @IsFreeForm()
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, example: { order: { id: 4711 } } })
  payload?: Record<string, unknown> | null;
}

export class BroadcastEventDto extends TriggerBaseDto {
  /** Values that the templates use. */
  @IsFreeForm()
  @ApiProperty({ type: 'object', additionalProperties: true, example: { headline: 'We are back' } })
  payload: Record<string, unknown>;
}
