import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsDefined,
  IsIn,
  IsMongoId,
  IsObject,
  IsOptional,
  IsString,
  ValidateNested,
} from 'class-validator';
import { type Mark, MARKS } from '../message.enums.js';

const MAX_MESSAGES = 1000;

/** One id, ids separated by commas, or a list of ids. */
function toIds({ value }: { value: unknown }): unknown {
  if (typeof value !== 'string') return value;
  return value
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
}

// ReadonlyArray and not string[]: the OpenAPI plugin would make the union below the items of a list.
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
  /** State that the messages get. */
  @ApiProperty({ enum: MARKS, example: 'read' })
  @IsIn(MARKS)
  markAs: Mark;
}

class MessageStateDto {
  /**
   * Whether they count as seen.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  seen?: boolean;

  /**
   * Whether they count as read.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  read?: boolean;
}

export class LegacyMarkMessagesDto extends MessageIdsDto {
  /** State that the messages get. A read message is a seen one. */
  @IsDefined()
  @IsObject()
  @ValidateNested()
  @Type(() => MessageStateDto)
  mark: MessageStateDto;
}

export class MarkAllMessagesDto {
  /** State that the messages get. */
  @ApiProperty({ enum: MARKS, example: 'read' })
  @IsIn(MARKS)
  markAs: Mark;

  @ApiPropertyOptional({
    oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    description: 'Only messages of this feed or these feeds.',
    example: 'Activities',
  })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? [value] : value))
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  feedIdentifier?: ReadonlyArray<string>;
}
