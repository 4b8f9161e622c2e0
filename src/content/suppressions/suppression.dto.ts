import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min, MinLength, ValidateIf } from 'class-validator';
import { type Channel, CHANNELS } from '#libs/channels';
import { AsNumber, OptionalString, PageQuery } from '#libs/http-kit';
import { isGiven } from '#libs/validation';
import { type AddressChannel, SUPPRESSION_KINDS, type SuppressionKind } from '../../audience/subscribers/index.js';

export const LISTED_KINDS = [...SUPPRESSION_KINDS, 'unsubscribe'] as const;
export type ListedKind = (typeof LISTED_KINDS)[number];

const ADDRESS_CHANNELS: readonly AddressChannel[] = ['email', 'sms'];
const MAX_ADDRESS = 320;
const MAX_REASON = 500;

class SuppressionFilter {
  /** Only of this kind. */
  @ApiPropertyOptional({ enum: LISTED_KINDS })
  @IsOptional()
  @IsIn(LISTED_KINDS)
  kind?: ListedKind;

  /** Only on this channel. */
  @ApiPropertyOptional({ enum: CHANNELS })
  @IsOptional()
  @IsIn(CHANNELS)
  channel?: Channel;

  /** Only of this email address or phone number, and what the first 100 subscribers who have it unsubscribed from. */
  @OptionalString(MAX_ADDRESS)
  address?: string;
}

export class ListSuppressionsQuery extends IntersectionType(PageQuery, SuppressionFilter) {}

export class ExportSuppressionsQuery extends SuppressionFilter {
  /** The `next` of the page before. */
  @OptionalString(255)
  cursor?: string;

  /** Number of suppressions. */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @AsNumber()
  @IsInt()
  @Min(1)
  @Max(1_000)
  limit: number = 1_000;
}

/** Names a subscriber or an address. */
export class CreateSuppressionDto {
  /** `email`, or `sms` for the phone number. */
  @IsIn(ADDRESS_CHANNELS)
  @ApiProperty({ enum: ADDRESS_CHANNELS, example: 'email' })
  channel: AddressChannel;

  /**
   * Your identifier of the subscriber, whose present address is suppressed. Either this or `address`.
   * @example ada
   */
  @ValidateIf(({ address, subscriberId }: CreateSuppressionDto) => !isGiven(address) || isGiven(subscriberId))
  @IsString({ message: "'subscriberId' or 'address' is needed" })
  @MinLength(1)
  @MaxLength(MAX_ADDRESS)
  @ApiPropertyOptional({ type: String, maxLength: MAX_ADDRESS, nullable: true })
  subscriberId?: string | null;

  /** Address that is suppressed for all subscribers who have it now, at most 100. If nobody has it, it is kept for whoever gets it. */
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_ADDRESS)
  @ApiPropertyOptional({ type: String, maxLength: MAX_ADDRESS, nullable: true })
  address?: string | null;

  /** Kind; `bounce` and `complaint` for lists that you bring along from a provider. */
  @ApiPropertyOptional({ enum: SUPPRESSION_KINDS, default: 'manual', nullable: true })
  @IsOptional()
  @IsIn(SUPPRESSION_KINDS)
  kind?: SuppressionKind | null;

  /**
   * Why nothing may be sent.
   * @example Asked by phone
   */
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_REASON)
  reason: string;
}

export class LiftSuppressionDto {
  /**
   * Why messages may be sent again. Webhooks and the log get it.
   * @example The mailbox works again
   */
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_REASON)
  reason: string;
}
