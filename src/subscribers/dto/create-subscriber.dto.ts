import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsEmail, IsLocale, IsOptional, IsUrl, MaxLength, ValidateIf } from 'class-validator';
import { IsFreeForm, IsListOf, IsName, NAME_LENGTH, OptionalString, ReadBack } from '#libs/http-kit';
import { ChannelCredentialsDto } from './channel-credentials.dto.js';

const AVATAR_LENGTH = 2_048;
const MAX_CHANNELS = 100;
const HTTP_URL = { protocols: ['http', 'https'], require_protocol: true, require_tld: false };

const trimmed = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim() : value);

/** Profile of a subscriber. `null` takes a value away. */
export class SubscriberProfileDto {
  /**
   * First name.
   * @example Ada
   */
  @OptionalString()
  firstName?: string | null;

  /**
   * Last name.
   * @example Lovelace
   */
  @OptionalString()
  lastName?: string | null;

  /**
   * Email address.
   * @example ada@example.com
   */
  @IsOptional()
  @IsEmail()
  @MaxLength(NAME_LENGTH)
  @ApiPropertyOptional({ type: String, format: 'email', maxLength: NAME_LENGTH, nullable: true })
  email?: string | null;

  /**
   * Phone number with country code.
   * @example +15551230100
   */
  @OptionalString()
  phone?: string | null;

  /**
   * Address of the profile image. An empty string counts as absent.
   * @example https://example.com/ada.png
   */
  // Clients fill what they do not know with empty texts, here as for names and numbers.
  @ValidateIf((_profile: SubscriberProfileDto, avatar: unknown) => (avatar ?? '') !== '')
  @IsUrl(HTTP_URL, { message: '$property must be an http or https URL' })
  @MaxLength(AVATAR_LENGTH)
  @ApiPropertyOptional({ type: String, format: 'uri', maxLength: AVATAR_LENGTH, nullable: true })
  avatar?: string | null;

  /**
   * Language, with a region where it matters.
   * @example en-GB
   */
  @IsOptional()
  @IsLocale()
  @MaxLength(NAME_LENGTH)
  @ApiPropertyOptional({ type: String, maxLength: NAME_LENGTH, nullable: true })
  locale?: string | null;

  /** Anything else that templates and conditions may use; it comes back exactly as sent, and is replaced whole. */
  @IsOptional()
  @IsFreeForm()
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, nullable: true, example: { plan: 'pro' } })
  data?: Record<string, unknown> | null;
}

@ReadBack('isOnline', 'lastOnlineAt')
export class CreateSubscriberDto extends SubscriberProfileDto {
  /**
   * Your own identifier of the user. Leading and trailing whitespace is removed.
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
