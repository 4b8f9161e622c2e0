import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsFreeForm, IsName, IsValidBy, OptionalString } from '#libs/http-kit';
import { parseRecipients } from '../recipients.js';
import { actorFaults, overridesFaults, tenantFaults } from '../trigger-fields.js';

const SUBSCRIBER = {
  type: 'object',
  required: ['subscriberId'],
  properties: {
    subscriberId: { type: 'string' },
    email: { type: 'string', format: 'email' },
    firstName: { type: 'string' },
    lastName: { type: 'string' },
    phone: { type: 'string' },
    avatar: { type: 'string' },
    locale: { type: 'string' },
    data: { type: 'object', additionalProperties: true },
    channels: { type: 'array', items: { type: 'object', additionalProperties: true } },
  },
};
const TOPIC = {
  type: 'object',
  required: ['type', 'topicKey'],
  properties: { type: { type: 'string', enum: ['Topic'] }, topicKey: { type: 'string' } },
};
const RECIPIENT = [{ type: 'string' }, SUBSCRIBER, TOPIC];

/** What a trigger and a broadcast have in common. */
export class TriggerBaseDto {
  /**
   * Trigger identifier of the workflow.
   * @example order-shipped
   */
  @IsName()
  name: string;

  /**
   * Values for overriding channels, providers, the delay, the layout or the integration, by the name of each.
   * `email.attachments` are files as in `payload.attachments`, which go with those.
   */
  @IsOptional()
  @IsFreeForm()
  @IsValidBy('isOverrides', (value) => overridesFaults(value))
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    example: { email: { subject: 'Another subject' }, delay: { amount: 5, unit: 'minutes' } },
  })
  overrides?: Record<string, unknown> | null;

  /**
   * Your own id of this event. The same id again answers as the first time and does nothing more; generated when absent.
   * @example order-4711
   */
  @OptionalString()
  transactionId?: string | null;

  /** Subscriber who caused the event: an id, or a description that creates or updates it. */
  @IsOptional()
  @IsValidBy('isActor', (value) => actorFaults(value))
  @ApiPropertyOptional({ oneOf: [{ type: 'string' }, SUBSCRIBER], example: 'bob' })
  actor?: string | Record<string, unknown> | null;

  /** Identifier of a tenant, or an object with it; name and data update the tenant. */
  @IsOptional()
  @IsValidBy('isTenant', (value) => tenantFaults(value))
  @ApiPropertyOptional({
    oneOf: [
      { type: 'string' },
      {
        type: 'object',
        required: ['identifier'],
        properties: {
          identifier: { type: 'string' },
          name: { type: 'string' },
          data: { type: 'object', additionalProperties: true },
        },
      },
    ],
    example: 'acme',
  })
  tenant?: string | Record<string, unknown> | null;
}

export class TriggerEventDto extends TriggerBaseDto {
  /** Whom it goes to: a subscriber's id, a description that creates or updates one, a topic, or a list of these. */
  @IsValidBy('isRecipients', (value, property) => [...parseRecipients(value, property).faults])
  @ApiProperty({
    oneOf: [...RECIPIENT, { type: 'array', items: { oneOf: RECIPIENT } }],
    example: { subscriberId: 'ann', email: 'ann@example.com' },
  })
  to: unknown;

  /** Values for the templates. */
  @IsOptional()
  @IsFreeForm()
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, example: { order: { id: 4711 } } })
  payload?: Record<string, unknown> | null;
}

export class BroadcastEventDto extends TriggerBaseDto {
  /** Values for the templates. */
  @IsFreeForm()
  @ApiProperty({ type: 'object', additionalProperties: true, example: { headline: 'We are back' } })
  payload: Record<string, unknown>;
}
