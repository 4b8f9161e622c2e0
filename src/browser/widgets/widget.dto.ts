import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsInt,
  IsMongoId,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { IsFreeForm, IsName, IsValidBy, NAME_LENGTH } from '#libs/http-kit';
import { payloadFaults } from '../../engine/messages/views/index.js';

const WORDS: Record<string, boolean> = { true: true, false: false };
const MAX_FEEDS = 100;
const MAX_REMOVED = 100;
const USUAL_COUNT = 100;
const FEEDS_API = {
  oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
  description: 'Only messages of this feed, or of these feeds, which commas can separate.',
  example: 'news,offers',
};

/** Converts the text of a parameter. Clients send a value that is not set as the text `undefined`. */
function Sent(convert: (text: string) => unknown = (text) => text, absent?: unknown): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => {
    if (value === 'undefined') return absent;
    return typeof value === 'string' ? convert(value) : value;
  });
}

function SentBoolean(): PropertyDecorator {
  return applyDecorators(
    Sent((text) => WORDS[text] ?? text),
    IsOptional(),
    IsBoolean(),
  );
}

function SentNumber({ min, max, absent }: { min: number; max: number; absent: number }): PropertyDecorator {
  return applyDecorators(Sent(Number, absent), IsOptional(), IsInt(), Min(min), Max(max));
}

function FeedIdentifiers(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => toIdentifiers(value)),
    IsOptional(),
    IsArray(),
    ArrayMaxSize(MAX_FEEDS),
    IsString({ each: true }),
    MaxLength(NAME_LENGTH, { each: true }),
  );
}

/** One identifier, identifiers separated by commas, or a list of these. Without any, nothing is filtered. */
function toIdentifiers(value: unknown): unknown {
  if (typeof value === 'string') return toIdentifiers([value]);
  if (!Array.isArray(value)) return value;
  const parts = (value as unknown[])
    .flatMap((entry) => (typeof entry === 'string' ? entry.split(',').map((part) => part.trim()) : [entry]))
    .filter((part) => part !== '' && part !== 'undefined');
  return parts.length === 0 ? undefined : parts;
}

/** Which messages a list or a count is about. */
class WidgetFilterQuery {
  @ApiPropertyOptional(FEEDS_API)
  @FeedIdentifiers()
  feedIdentifier?: ReadonlyArray<string>;

  @ApiPropertyOptional({ type: Boolean, description: 'True: only seen messages. False: only unseen ones.' })
  @SentBoolean()
  seen?: boolean;

  @ApiPropertyOptional({ type: Boolean, description: 'True: only read messages. False: only unread ones.' })
  @SentBoolean()
  read?: boolean;
}

export class WidgetFeedQuery extends WidgetFilterQuery {
  /**
   * Page, counted from 0.
   * @example 0
   */
  @ApiPropertyOptional({ type: 'integer' })
  @SentNumber({ min: 0, max: 1_000_000, absent: 0 })
  page: number = 0;

  /**
   * Number of messages per page.
   * @example 10
   */
  @ApiPropertyOptional({ type: 'integer' })
  @SentNumber({ min: 1, max: 100, absent: 10 })
  limit: number = 10;

  /**
   * Only messages whose payload has these values: a JSON object in base64.
   * @example eyJvcmRlciI6eyJpZCI6N319
   */
  @IsOptional()
  @Sent()
  @IsValidBy('isPayloadFilter', payloadFaults)
  payload?: string;
}

export class WidgetCountQuery extends WidgetFilterQuery {
  /**
   * Maximum count: counting stops there.
   * @example 100
   */
  @ApiPropertyOptional({ type: 'integer' })
  @SentNumber({ min: 1, max: 1_000, absent: USUAL_COUNT })
  // As in the compatible system, a text that is no number counts as absent.
  @Transform(({ value }: { value: unknown }) => (Number.isNaN(value) ? USUAL_COUNT : value))
  limit: number = USUAL_COUNT;
}

// ReadonlyArray, not string[]: the OpenAPI plugin would make the union the items of a list.
export class MarkFeedsDto {
  @ApiPropertyOptional(FEEDS_API)
  @FeedIdentifiers()
  feedId?: ReadonlyArray<string>;
}

export class RemoveMessagesDto {
  @ApiProperty({ type: [String], description: 'Record ids of the messages.', example: ['64f0c1a2b3c4d5e6f7a8b9c0'] })
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_REMOVED)
  @IsMongoId({ each: true })
  messageIds: string[];
}

export class RemoveAllMessagesQuery {
  /**
   * Only messages of the feed with this record id.
   * @example 64f0c1a2b3c4d5e6f7a8b9c0
   */
  @IsOptional()
  @Sent()
  @IsMongoId()
  feedId?: string;
}

export class LogUsageDto {
  /**
   * What the subscriber did.
   * @example [Widget] - Notification Click
   */
  @IsName()
  name: string;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true, description: 'Details of the event.' })
  @IsOptional()
  @IsFreeForm()
  payload?: Record<string, unknown>;
}
