import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { ArrayNotEmpty, ArrayUnique, IsArray, IsBoolean, IsIn, IsOptional } from 'class-validator';
import { IsValidBy, OptionalString, PageQuery, ReadBack } from '#libs/http-kit';
import { DELIVERY_STATUSES, type DeliveryStatus } from './webhook-delivery.schema.js';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from './webhook-events.js';

const MAX_DESCRIPTION_LENGTH = 1_000;
const MAX_URL_LENGTH = 2_048;

/** Faults in the form of an endpoint's URL, each with its path. Where it leads is checked when it is called. */
export function urlFaults(value: unknown, path: string): string[] {
  if (typeof value !== 'string' || !URL.canParse(value)) return [`${path} must be an http or https URL`];
  if (value.length > MAX_URL_LENGTH) return [`${path} must be shorter than or equal to ${MAX_URL_LENGTH} characters`];
  const { protocol, username, password } = new URL(value);
  if (protocol !== 'http:' && protocol !== 'https:') return [`${path} must be an http or https URL`];
  if (username !== '' || password !== '') return [`${path} must not hold a user name or password`];
  return [];
}

export class CreateWebhookDto {
  /** URL that events are posted to, http or https. Private addresses are not called unless the operator allows them. */
  @IsValidBy('isWebhookUrl', urlFaults)
  @ApiProperty({ type: String, format: 'uri', maxLength: MAX_URL_LENGTH, example: 'https://example.com/hooks/herald' })
  url: string;

  /** Events to post to the URL. */
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(WEBHOOK_EVENT_TYPES, { each: true })
  @ApiProperty({ enum: WEBHOOK_EVENT_TYPES, isArray: true, example: ['message.sent', 'message.failed'] })
  events: WebhookEventType[];

  /**
   * Description.
   * @example Order service
   */
  @OptionalString(MAX_DESCRIPTION_LENGTH)
  description?: string | null;

  /** Whether events are posted to the URL. */
  @IsOptional()
  @IsBoolean()
  @ApiPropertyOptional({ type: Boolean, default: true })
  active?: boolean | null;
}

/** Fields that are absent stay unchanged; `active: null` is true. */
@ReadBack('disabledReason', 'disabledAt')
export class UpdateWebhookDto extends PartialType(CreateWebhookDto) {}

export class ListWebhookDeliveriesQuery extends PageQuery {
  @ApiPropertyOptional({ enum: DELIVERY_STATUSES, description: 'Only deliveries in this state.' })
  @IsOptional()
  @IsIn(DELIVERY_STATUSES)
  status?: DeliveryStatus;
}
