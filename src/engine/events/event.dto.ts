import { ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsInt, IsOptional, Max, Min } from 'class-validator';
import type { z } from 'zod';
import { apiOf, AsNumber, fieldsOf, IsFreeForm, IsName, IsValidBy, OptionalId } from '#libs/http-kit';
import { isObject } from '#libs/validation';
import { WAIT_OUTCOMES, type WaitOutcome } from '../delivery/index.js';
import { type ParsedRecipients, parseRecipients } from './recipients.js';
import { OVERRIDE_FIELDS, overrides } from './overrides.schema.js';
import { actor, RECIPIENT_FIELDS, recipients, SUBSCRIBER_FIELDS, tenant, TENANT_FIELDS } from './trigger.schema.js';

const MAX_EVENTS = 100;

/** Common fields of a trigger and a broadcast. */
export class TriggerBaseDto {
  /**
   * Trigger identifier of the workflow.
   * @example order-shipped
   */
  @IsName()
  name: string;

  /**
   * Settings of the workflow that this event overrides, by channel (`email`, `sms`, `chat`, `push`) or provider.
   * Further keys are passed to providers unchanged.
   */
  @IsOptional()
  @IsFreeForm()
  @IsValidBy('isOverrides', overrides, () => OVERRIDE_FIELDS)
  @ApiPropertyOptional({ ...apiOf(overrides), nullable: true, example: { email: { subject: 'Another subject' } } })
  overrides?: Record<string, unknown> | null;

  /**
   * Your id of this event; generated if absent. A repeated id returns the first response without triggering again.
   * @example order-4711
   */
  @OptionalId()
  transactionId?: string | null;

  /** Subscriber who caused the event: an id, or an object that creates or updates the subscriber. Empty text: none. */
  @IsOptional()
  @IsValidBy('isActor', actor, () => SUBSCRIBER_FIELDS)
  @ApiPropertyOptional({ ...apiOf(actor), example: 'grace' })
  actor?: z.infer<typeof actor>;

  /**
   * Identifier of a tenant, or an object with the identifier whose `name` and `data` update the tenant. Empty text:
   * none.
   */
  @IsOptional()
  @IsValidBy('isTenant', tenant, () => TENANT_FIELDS)
  @ApiPropertyOptional({ ...apiOf(tenant), example: 'acme' })
  tenant?: z.infer<typeof tenant>;
}

export class TriggerEventDto extends TriggerBaseDto {
  /** Recipients: the id of a subscriber, an object that creates or updates one, a topic, a segment, or an array of these. */
  @Transform(({ obj }: { obj: { to?: unknown } }) => parseRecipients(obj.to), { toClassOnly: true })
  @IsValidBy('isRecipients', (to) => faultsOfRecipients(to), () => RECIPIENT_FIELDS)
  @ApiProperty({ ...apiOf(recipients), example: { subscriberId: 'ada', email: 'ada@example.com' } })
  to: ParsedRecipients;

  /** Values that the templates use. */
  @IsOptional()
  @IsFreeForm()
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, example: { order: { id: 4711 } } })
  payload?: Record<string, unknown> | null;

  /**
   * For trying a workflow: true passes its delays, digests, waits for events, delivery hours and send windows at once, for this event only.
   * Environments of production refuse it.
   */
  @IsOptional()
  @IsBoolean()
  @ApiPropertyOptional({ type: Boolean, nullable: true, default: false })
  skipWaits?: boolean | null;
}

const MAX_WAITS = 200;

export class DryRunEventDto extends TriggerEventDto {
  /**
   * What becomes of the events that steps of the type `wait_for_event` wait for, by the `stepId`, `uuid` or id of the step:
   * `matched`: it comes at once, without a payload; `timed_out`: it does not come. Default: none comes.
   */
  @IsOptional()
  @IsFreeForm()
  @IsValidBy('areWaits', faultsOfWaits)
  @ApiPropertyOptional({
    type: 'object',
    nullable: true,
    additionalProperties: { type: 'string', enum: [...WAIT_OUTCOMES] },
    example: { 'wait-for-payment': 'matched' },
  })
  waits?: Record<string, WaitOutcome> | null;
}

const MAX_SHOWN_RECIPIENTS = 50;

export class DryRunQuery {
  /** Number of recipients to show, 1 to 50. Fewer are shown if their messages are very large. */
  @IsOptional()
  @AsNumber()
  @IsInt()
  @Min(1)
  @Max(MAX_SHOWN_RECIPIENTS)
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_SHOWN_RECIPIENTS, default: 10 })
  limit: number = 10;
}

const MAX_WAIT_SECONDS = 30;

export class EventQuery {
  /**
   * Seconds to wait for the end of the event, 0 to 30. The answer comes as soon as it has ended. It can come earlier, if
   * many requests wait already or Herald stops.
   */
  @IsOptional()
  @AsNumber()
  @IsInt()
  @Min(0)
  @Max(MAX_WAIT_SECONDS)
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_WAIT_SECONDS, default: 0 })
  wait: number = 0;
}

export class BroadcastEventDto extends TriggerBaseDto {
  /** Values that the templates use. */
  @IsFreeForm()
  @ApiProperty({ type: 'object', additionalProperties: true, example: { headline: 'We are back' } })
  payload: Record<string, unknown>;
}

export class BulkTriggerDto {
  /** Up to 100 events. Each is checked and accepted on its own; an invalid event does not affect the others. */
  @IsArray()
  @IsValidBy('areEvents', () => [], () => fieldsOf(TriggerEventDto))
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_EVENTS)
  @ApiProperty({
    type: 'array',
    minItems: 1,
    maxItems: MAX_EVENTS,
    items: { $ref: getSchemaPath(TriggerEventDto) },
    example: [
      { name: 'order-shipped', to: 'ada' },
      { name: 'order-shipped', to: 'grace' },
    ],
  })
  events: unknown[];
}

function faultsOfWaits(waits: unknown, property: string): string[] {
  if (!isObject(waits)) return [];
  const entries = Object.entries(waits);
  if (entries.length > MAX_WAITS) return [`${property} must have at most ${MAX_WAITS} steps`];
  const known: readonly unknown[] = WAIT_OUTCOMES;
  return entries
    .filter(([, outcome]) => !known.includes(outcome))
    .map(([key]) => `${property}.${key} must be one of: ${WAIT_OUTCOMES.join(', ')}`);
}

/** Recipients are read once, when the body becomes an instance; a body without them has not been read. */
function faultsOfRecipients(to: unknown): string[] {
  const { faults } = (to ?? parseRecipients(undefined)) as ParsedRecipients;
  return [...faults];
}
