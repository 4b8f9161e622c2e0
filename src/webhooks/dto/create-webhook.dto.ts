import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayNotEmpty, ArrayUnique, IsArray, IsBoolean, IsIn, IsOptional } from 'class-validator';
import { IsValidBy, OptionalString } from '#libs/http-kit';
import { urlFaults } from '../url-faults.js';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../webhook.enums.js';

const DESCRIPTION_LENGTH = 1_000;

export class CreateWebhookDto {
  /** Address that events are posted to, http or https. Private addresses are not called unless the operator allows them. */
  @IsValidBy('isWebhookUrl', urlFaults)
  @ApiProperty({ type: String, format: 'uri', maxLength: 2_048, example: 'https://example.com/hooks/herald' })
  url: string;

  /** Events to be told. */
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(WEBHOOK_EVENTS, { each: true })
  @ApiProperty({ enum: WEBHOOK_EVENTS, isArray: true, example: ['message.sent', 'message.failed'] })
  events: WebhookEvent[];

  /**
   * What it is for.
   * @example Order service
   */
  @OptionalString(DESCRIPTION_LENGTH)
  description?: string | null;

  /** Whether events are sent at all. */
  @IsOptional()
  @IsBoolean()
  @ApiPropertyOptional({ type: Boolean, default: true })
  active?: boolean | null;
}
