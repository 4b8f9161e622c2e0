import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsEmail, IsLocale, IsOptional, IsUrl, MaxLength, ValidateIf } from 'class-validator';
import { IsFreeForm, IsListOf, IsName, NAME_LENGTH, OptionalString } from '#libs/http-kit';
import { ChannelCredentialsDto } from './channel-credentials.dto.js';

const AVATAR_LENGTH = 2_048;
const MAX_CHANNELS = 100;
const HTTP_URL = { protocols: ['http', 'https'], require_protocol: true, require_tld: false };

export const trimmed = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim() : value);

/** Profile of a subscriber. `null` takes a value away. */
export class SubscriberProfileDto {
  /** @example Ann */
  @OptionalString()
  firstName?: string | null;

  /** @example Lee */
  @OptionalString()
  lastName?: string | null;

  /** @example ann@example.com */
  @IsOptional()
  @IsEmail()
  @MaxLength(NAME_LENGTH)
  @ApiPropertyOptional({ type: String, format: 'email', maxLength: NAME_LENGTH, nullable: true })
  email?: string | null;

  /** @example +15551230100 */
  @OptionalString()
  phone?: string | null;

  /**
   * Address of the profile image; empty where there is none.
   * @example https://example.com/ann.png
   */
  // Clients fill what they do not know with empty texts, here as for names and numbers.
  @ValidateIf((_profile: SubscriberProfileDto, avatar: unknown) => (avatar ?? '') !== '')
  @IsUrl(HTTP_URL, { message: '$property must be an http or https URL' })
  @MaxLength(AVATAR_LENGTH)
  @ApiPropertyOptional({ type: String, format: 'uri', maxLength: AVATAR_LENGTH, nullable: true })
  avatar?: string | null;

  /**
   * Language, with a region if need be.
   * @example en-US
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

export class CreateSubscriberDto extends SubscriberProfileDto {
  /**
   * Your own identifier of the user; blanks around it are taken off.
   * @example user-1
   */
  @Transform(trimmed)
  @IsName()
  @ApiProperty({ type: String, minLength: 1, maxLength: NAME_LENGTH })
  subscriberId: string;

  /** Credentials for chat and push providers; device tokens are added to those that are there. */
  @IsOptional()
  @IsListOf(() => ChannelCredentialsDto, MAX_CHANNELS)
  @ApiPropertyOptional({ type: [ChannelCredentialsDto], nullable: true, maxItems: MAX_CHANNELS, example: [] })
  channels?: ChannelCredentialsDto[] | null;
}
