import { ApiProperty, ApiPropertyOptional, getSchemaPath, IntersectionType, PickType } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  MinLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { chatAndPushProviderIds, isWebUrl } from '#libs/channels';
import {
  fieldsOf,
  IsListOf,
  IsName,
  IsValidBy,
  LinkedPageQuery,
  NAME_LENGTH,
  OptionalString,
  OrderedBy,
  PageQuery,
  ReadBack,
} from '#libs/http-kit';
import { foreignSecretFaults } from '#libs/secrets';
import { SubscriberProfileDto } from './profile.js';
import type { AddressChannel } from './resolved-subscriber.js';

const URL_LENGTH = 2_048;
const TEXT_LENGTH = 4_096;
/** Maximum number of device tokens in one entry. */
export const MAX_DEVICE_TOKENS = 1_000;

/** Also of services that some providers reach by schemes of their own. */
function webhookFaults(value: unknown, property: string): string[] {
  const isWrong = typeof value === 'string' && value !== '' && value.length <= URL_LENGTH && !isWebUrl(value);
  return isWrong ? [`${property} must be a whole URL, such as https://chat.example.com/hooks/ada`] : [];
}

/** Credentials of a subscriber; each provider uses its own keys. */
export class SubscriberCredentialsDto {
  /**
   * Webhook URL that receives the messages for this subscriber.
   * @example https://chat.example.com/hooks/ada
   */
  @OptionalString(URL_LENGTH)
  @IsValidBy('isWebhookUrl', webhookFaults)
  webhookUrl?: string | null;

  /**
   * Channel, room, chat, topic or tag of a chat provider.
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

  /** Grafana OnCall: URL of an image. */
  @OptionalString(URL_LENGTH)
  imageUrl?: string | null;

  /** Grafana OnCall: state of the alert. */
  @OptionalString(TEXT_LENGTH)
  state?: string | null;

  /** Grafana OnCall: URL with more details. */
  @OptionalString(URL_LENGTH)
  externalUrl?: string | null;

  /**
   * Device tokens for push providers. An empty list removes all.
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

const PROVIDER_IDS = chatAndPushProviderIds();

/** Credentials of a subscriber for one chat or push provider. */
export class ChannelCredentialsDto {
  /**
   * Provider of an active integration.
   * @example discord
   */
  @IsIn(PROVIDER_IDS, {
    message: `$property must be one of the following values: ${PROVIDER_IDS.join(', ')}`,
  })
  @ApiProperty({ enum: PROVIDER_IDS })
  providerId: string;

  /** Identifier of one integration of the provider. Default: the newest active one. */
  @OptionalString()
  integrationIdentifier?: string | null;

  @IsObject()
  @ValidateNested()
  @Type(() => SubscriberCredentialsDto)
  @IsValidBy('areOwnSecrets', foreignSecretFaults)
  credentials: SubscriberCredentialsDto;
}

const MAX_CHANNELS = 100;

const trimmed = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim() : value);

@ReadBack('isOnline', 'lastOnlineAt')
export class CreateSubscriberDto extends SubscriberProfileDto {
  /**
   * Your identifier of the user. Leading and trailing whitespace is removed.
   * @example ada
   */
  @Transform(trimmed)
  @IsName()
  @ApiProperty({ type: String, minLength: 1, maxLength: NAME_LENGTH })
  subscriberId: string;

  /** Credentials for chat and push providers. Device tokens are added to the stored ones. */
  @IsOptional()
  @IsListOf(() => ChannelCredentialsDto, MAX_CHANNELS)
  @ApiPropertyOptional({ type: [ChannelCredentialsDto], nullable: true, maxItems: MAX_CHANNELS, example: [] })
  channels?: ChannelCredentialsDto[] | null;
}

/** Absent fields stay; `null` and an empty text remove a value. */
@ReadBack('subscriberId', 'channels', 'isOnline', 'lastOnlineAt')
export class UpdateSubscriberDto extends SubscriberProfileDto {}

/** Maximum number of subscribers in one call. */
const MAX_BULK = 500;

export class BulkCreateSubscribersDto {
  /** Up to 500 subscribers. Each is checked on its own, and created, or updated if its `subscriberId` exists. */
  // One more than allowed is enough to reject the request.
  @Transform(({ value }: { value: unknown }) =>
    Array.isArray(value) ? (value as unknown[]).slice(0, MAX_BULK + 1) : value,
  )
  @IsArray()
  @IsValidBy('areSubscribers', () => [], () => fieldsOf(CreateSubscriberDto))
  @ArrayMaxSize(MAX_BULK)
  @ArrayNotEmpty()
  @ApiProperty({
    type: 'array',
    items: { $ref: getSchemaPath(CreateSubscriberDto) },
    minItems: 1,
    maxItems: MAX_BULK,
  })
  subscribers: unknown[];
}

/** Filters of the list of subscribers. */
export class ListSubscribersQuery extends PageQuery {
  /**
   * Only the subscriber with this email address; case-insensitive.
   * @example ada@example.com
   */
  @OptionalString()
  email?: string;

  /**
   * Only subscribers whose first or last name begins with this; case-insensitive. Pages reach the first
   * 10,000 of them.
   * @example ad
   */
  @OptionalString()
  name?: string;

  /**
   * Only subscribers with exactly this phone number.
   * @example +15551230100
   */
  @OptionalString()
  phone?: string;

  /**
   * Only subscribers whose identifier begins with this.
   * @example ad
   */
  @OptionalString()
  subscriberId?: string;
}

/** The window and the filters of a list whose pages are linked. */
export class LinkedSubscribersQuery extends IntersectionType(
  LinkedPageQuery,
  PickType(ListSubscribersQuery, ['email', 'name', 'phone']),
) {
  @OrderedBy('_id', 'createdAt')
  orderBy?: string;

  /**
   * Only the subscriber with this identifier.
   * @example ada
   */
  @OptionalString()
  subscriberId?: string;
}

/** `isOnline`, or its older name `online`. */
export class OnlineStatusDto {
  /** Whether the subscriber is online. */
  @ValidateIf(({ online, isOnline }: OnlineStatusDto) => isGiven(isOnline) || !isGiven(online))
  @IsBoolean()
  @ApiPropertyOptional({ type: Boolean, example: true })
  isOnline?: boolean;

  /** Older name of `isOnline`. */
  @ValidateIf(({ online }: OnlineStatusDto) => isGiven(online))
  @IsBoolean()
  @ApiPropertyOptional({ type: Boolean, deprecated: true })
  online?: boolean;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

const ADDRESS_CHANNELS: readonly AddressChannel[] = ['email', 'sms'];

/** An address of a subscriber. */
export class AddressStateParams {
  /** @example ada */
  @IsString()
  subscriberId: string;

  /** `email`, or `sms` for the phone number. */
  @IsIn(ADDRESS_CHANNELS)
  @ApiProperty({ enum: ADDRESS_CHANNELS })
  channel: AddressChannel;
}
