import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { NAME_LENGTH, OptionalString, PageQuery } from '#libs/http-kit';
import { OBJECT_ID_PATTERN } from '#libs/persistence';
import { STEP_TYPES, type StepType } from '../notification.record.js';

const MAX_VALUES = 100;

/** A parameter may be given once or several times; an empty one says nothing, as clients send what they have not set. */
const asList = ({ value }: { value: unknown }): unknown => {
  if (value === undefined) return undefined;
  const said = (Array.isArray(value) ? value : [value]).filter((one) => one !== '');
  return said.length > 0 ? said : undefined;
};

/** Which notifications to list. Different filters narrow the result, values of one filter are alternatives. */
export class ListNotificationsQuery extends PageQuery {
  /** Notifications with a step of one of these types. */
  @IsOptional()
  @Transform(asList)
  @IsIn(STEP_TYPES, { each: true })
  @ApiPropertyOptional({ isArray: true, enum: STEP_TYPES })
  channels?: StepType[];

  /** Record ids of workflows. */
  @IsOptional()
  @Transform(asList)
  @ArrayMaxSize(MAX_VALUES)
  @Matches(OBJECT_ID_PATTERN, { each: true, message: 'each value in templates must be a record id' })
  @ApiPropertyOptional({ type: [String], example: ['64f0c1a2b3c4d5e6f7a8b9c0'] })
  templates?: string[];

  /** Email addresses of subscribers. */
  @IsOptional()
  @Transform(asList)
  @ArrayMaxSize(MAX_VALUES)
  @IsString({ each: true })
  @MaxLength(NAME_LENGTH, { each: true })
  @ApiPropertyOptional({ type: [String], example: ['ann@example.com'] })
  emails?: string[];

  /** Your own ids of subscribers. */
  @IsOptional()
  @Transform(asList)
  @ArrayMaxSize(MAX_VALUES)
  @IsString({ each: true })
  @MaxLength(NAME_LENGTH, { each: true })
  @ApiPropertyOptional({ type: [String], example: ['ann'] })
  subscriberIds?: string[];

  /**
   * A transaction id, a subscriber's id or email, or the beginning of a name.
   * @example ann
   */
  @OptionalString()
  search?: string;

  /**
   * Notifications of one event.
   * @example order-4711
   */
  @OptionalString()
  transactionId?: string;
}
