import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { CHAT_AND_PUSH_PROVIDER_IDS } from '#libs/channels';
import { OptionalString } from '#libs/http-kit';

const URL_LENGTH = 2_048;
const TEXT_LENGTH = 4_096;
/** Device tokens that one entry holds at most. */
export const MAX_DEVICE_TOKENS = 1_000;

/** What a subscriber is reached with; each provider uses its own keys. */
export class SubscriberCredentialsDto {
  /**
   * Address at which the provider takes messages for this subscriber.
   * @example https://chat.example.com/hooks/ada
   */
  @OptionalString(URL_LENGTH)
  webhookUrl?: string | null;

  /**
   * Channel or room of a chat provider.
   * @example general
   */
  @OptionalString(TEXT_LENGTH)
  channel?: string | null;

  /** Grafana OnCall: id of the alert. */
  @OptionalString(TEXT_LENGTH)
  alertUid?: string | null;

  /** Grafana OnCall: title of the alert. */
  @OptionalString(TEXT_LENGTH)
  title?: string | null;

  /** Grafana OnCall: address of an image. */
  @OptionalString(URL_LENGTH)
  imageUrl?: string | null;

  /** Grafana OnCall: state of the alert. */
  @OptionalString(TEXT_LENGTH)
  state?: string | null;

  /** Grafana OnCall: address with more details. */
  @OptionalString(URL_LENGTH)
  externalUrl?: string | null;

  /**
   * Tokens of the subscriber's devices, for push providers. An empty list removes all.
   * @example ["token-of-a-phone"]
   */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_DEVICE_TOKENS)
  @IsString({ each: true })
  @MinLength(1, { each: true })
  @MaxLength(TEXT_LENGTH, { each: true })
  @ApiPropertyOptional({
    type: 'array',
    nullable: true,
    maxItems: MAX_DEVICE_TOKENS,
    items: { type: 'string', minLength: 1, maxLength: TEXT_LENGTH },
  })
  deviceTokens?: string[] | null;
}

/** Credentials of a subscriber for one chat or push provider. */
export class ChannelCredentialsDto {
  /**
   * Provider of an active integration.
   * @example discord
   */
  @IsIn(CHAT_AND_PUSH_PROVIDER_IDS, {
    message: `$property must be one of the following values: ${CHAT_AND_PUSH_PROVIDER_IDS.join(', ')}`,
  })
  @ApiProperty({ enum: CHAT_AND_PUSH_PROVIDER_IDS })
  providerId: string;

  /** Which integration of the provider; without it the newest active one. */
  @OptionalString()
  integrationIdentifier?: string | null;

  @IsObject()
  @ValidateNested()
  @Type(() => SubscriberCredentialsDto)
  credentials: SubscriberCredentialsDto;
}
