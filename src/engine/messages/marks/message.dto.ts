import { applyDecorators } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsDefined,
  IsIn,
  IsInt,
  IsMongoId,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { AsNumber, IsFreeForm, IsValidBy, NAME_LENGTH, OptionalString, PageQuery } from '#libs/http-kit';
import { type Channel, CHANNELS } from '#libs/channels';
import { payloadFaults } from '../views/payload-filter.js';
import {
  ACTION_STATUSES,
  ACTION_TYPES,
  type ActionStatus,
  type ActionType,
  type Mark,
  MARKS,
} from '../records/message.enums.js';

const WORDS: Record<string, boolean> = { true: true, false: false };

/** An optional `true` or `false` in a query. */
function OptionalQueryBoolean(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (WORDS[value] ?? value) : value)),
    IsBoolean(),
  );
}

/** An optional parameter that can be repeated; one value is a list of one. */
function OptionalQueryList(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? [value] : value)),
    IsString({ each: true }),
    MaxLength(NAME_LENGTH, { each: true }),
    ArrayMaxSize(100),
  );
}

export class ListMessagesQuery extends PageQuery {
  @ApiPropertyOptional({ enum: CHANNELS, description: 'Only messages of this channel.' })
  @IsOptional()
  @IsIn(CHANNELS)
  channel?: Channel;

  /** Only messages of this subscriber. */
  @OptionalString()
  subscriberId?: string;

  @ApiPropertyOptional({ type: [String], description: 'Only messages of these transactions; can be repeated.' })
  @OptionalQueryList()
  transactionId?: string[];
}

export class DeleteTransactionQuery {
  @ApiPropertyOptional({ enum: CHANNELS, description: 'Only messages of this channel.' })
  @IsOptional()
  @IsIn(CHANNELS)
  channel?: Channel;
}

export class ListFeedQuery extends PageQuery {
  @ApiPropertyOptional({ type: [String], description: 'Only messages of these feeds; can be repeated.' })
  @OptionalQueryList()
  feedIdentifier?: string[];

  @ApiPropertyOptional({ type: Boolean, description: 'True: only seen messages. False: only unseen ones.' })
  @OptionalQueryBoolean()
  seen?: boolean;

  @ApiPropertyOptional({ type: Boolean, description: 'True: only read messages. False: only unread ones.' })
  @OptionalQueryBoolean()
  read?: boolean;

  /**
   * Only messages whose payload has these values: a JSON object in base64.
   * @example eyJvcmRlciI6eyJpZCI6N319
   */
  @IsOptional()
  @IsValidBy('isPayloadFilter', payloadFaults)
  payload?: string;
}

export class CountUnseenQuery {
  @ApiPropertyOptional({ type: [String], description: 'Only messages of these feeds; can be repeated.' })
  @OptionalQueryList()
  feedIdentifier?: string[];

  @ApiPropertyOptional({ type: Boolean, default: false, description: 'Counts seen messages instead of unseen ones.' })
  @OptionalQueryBoolean()
  seen?: boolean;

  /**
   * Maximum count: counting stops there.
   * @example 100
   */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @AsNumber()
  @IsInt()
  @Min(1)
  @Max(1000)
  limit: number = 100;
}

const MAX_MESSAGES = 1000;

/** One id, ids separated by commas, or a list of ids. */
function toIds({ value }: { value: unknown }): unknown {
  if (typeof value !== 'string') return value;
  return value
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
}

// ReadonlyArray, not string[]: the OpenAPI plugin would make the union below the items of a list.
class MessageIdsDto {
  @ApiProperty({
    oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    description: 'One id, ids separated by commas, or a list of ids.',
    example: ['64f0c1a2b3c4d5e6f7a8b9c0'],
  })
  @Transform(toIds)
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_MESSAGES)
  @IsMongoId({ each: true })
  messageId: ReadonlyArray<string>;
}

export class MarkMessagesDto extends MessageIdsDto {
  /** New state of the messages. */
  @ApiProperty({ enum: MARKS, example: 'read' })
  @IsIn(MARKS)
  markAs: Mark;
}

class MessageStateDto {
  /**
   * Whether the messages are seen.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  seen?: boolean;

  /**
   * Whether the messages are read.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  read?: boolean;
}

export class LegacyMarkMessagesDto extends MessageIdsDto {
  /** New state of the messages. A read message is also seen. */
  @IsDefined()
  @IsObject()
  @ValidateNested()
  @Type(() => MessageStateDto)
  mark: MessageStateDto;
}

export class MarkAllMessagesDto {
  /** New state of the messages. */
  @ApiProperty({ enum: MARKS, example: 'read' })
  @IsIn(MARKS)
  markAs: Mark;

  @ApiPropertyOptional({
    oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    description: 'Only messages of this feed, or of these feeds.',
    example: 'Activities',
  })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? [value] : value))
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  feedIdentifier?: ReadonlyArray<string>;
}

export class ActOnMessageDto {
  /** `done` after the button was used; `pending` resets it. */
  @ApiProperty({ enum: ACTION_STATUSES, example: 'done' })
  @IsIn(ACTION_STATUSES)
  status: ActionStatus;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'Data to store with the action. Replaces what was stored before.',
    example: { choice: 'accepted' },
  })
  @IsOptional()
  @IsFreeForm()
  payload?: Record<string, unknown> | null;
}

export class ActionTypeParams {
  @ApiProperty({ enum: ACTION_TYPES, description: 'The button.' })
  @IsIn(ACTION_TYPES)
  type: ActionType;
}
