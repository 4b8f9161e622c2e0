import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsIn, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { AsNumber, NAME_LENGTH, OptionalMoment, OptionalString, PageQuery } from '#libs/http-kit';
import { OBJECT_ID_PATTERN } from '#libs/common';
import {
  NOTIFICATION_STATUSES,
  type NotificationStatus,
  STEP_TYPES,
  type StepType,
} from '../../engine/delivery/index.js';

const MAX_VALUES = 100;

/** A parameter may be given once or several times; an empty value counts as absent. */
const asList = ({ value }: { value: unknown }): unknown => {
  if (value === undefined || value === null) return undefined;
  const values = (Array.isArray(value) ? value : [value]).filter((one) => one !== '');
  return values.length > 0 ? values : undefined;
};

/** The compatible system calls a run that has not ended `pending`; `dead` is what has no attempts left. */
const STATUSES = [...NOTIFICATION_STATUSES, 'pending', 'dead', 'uncertain'] as const;

/** Different filters are combined with AND, the values of one filter with OR. */
export class ListNotificationsQuery extends PageQuery {
  /** Only notifications with a step of one of these types; can be repeated. */
  @IsOptional()
  @Transform(asList)
  @IsIn(STEP_TYPES, { each: true })
  @ApiPropertyOptional({ isArray: true, enum: STEP_TYPES })
  channels?: StepType[];

  /** Only notifications of these workflows, by record id; can be repeated. */
  @IsOptional()
  @Transform(asList)
  @ArrayMaxSize(MAX_VALUES)
  @Matches(OBJECT_ID_PATTERN, { each: true, message: '$property must be a record id' })
  @ApiPropertyOptional({ type: [String], example: ['64f0c1a2b3c4d5e6f7a8b9c0'] })
  templates?: string[];

  /** Only notifications of subscribers with these email addresses; can be repeated. */
  @IsOptional()
  @Transform(asList)
  @ArrayMaxSize(MAX_VALUES)
  @IsString({ each: true })
  @MaxLength(NAME_LENGTH, { each: true })
  @ApiPropertyOptional({ type: [String], example: ['ada@example.com'] })
  emails?: string[];

  /** Only notifications of these subscribers; can be repeated. */
  @IsOptional()
  @Transform(asList)
  @ArrayMaxSize(MAX_VALUES)
  @IsString({ each: true })
  @MaxLength(NAME_LENGTH, { each: true })
  @ApiPropertyOptional({ type: [String], example: ['ada'] })
  subscriberIds?: string[];

  /**
   * Only notifications with this transaction id. If there are none: those whose transaction id, subscriber id or
   * subscriber's first or last name begins with this text, whose subscriber has it as the email address, or whose
   * workflow's name or trigger identifier contains it. Covers the first 50 matches of each kind.
   * @example ada
   */
  @OptionalString()
  search?: string;

  /**
   * Only notifications of this event.
   * @example order-4711
   */
  @OptionalString()
  transactionId?: string;

  /**
   * Only notifications in one of these states: `active` (or its alias `pending`) while the run continues; `failed` if a
   * step has failed, whatever the outcome of the others; `dead` if a step has used all its attempts; `uncertain` if the provider may
   * have accepted the message of such a step; `merged` into the digest of another notification.
   */
  @IsOptional()
  @Transform(asList)
  @IsIn(STATUSES, { each: true })
  @ApiPropertyOptional({ isArray: true, enum: STATUSES })
  status?: (NotificationStatus | 'pending' | 'dead' | 'uncertain')[];

  /**
   * True: only notifications with a step that has used all its attempts, also where the provider may have accepted the message. Same as
   * the status `dead`.
   */
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (value === '' ? undefined : value === 'true' ? true : value))
  @IsIn([true], { message: 'deadLetter must be true, or left out' })
  @ApiPropertyOptional({ type: Boolean, enum: [true] })
  deadLetter?: true;

  /** Only notifications created at this time or later. */
  @OptionalMoment()
  from?: string;

  /** Only notifications created at this time or earlier. */
  @OptionalMoment()
  to?: string;

  /** Same as `from`. */
  @OptionalMoment()
  after?: string;

  /** Same as `to`. */
  @OptionalMoment()
  before?: string;
}

/** The filters of the list without its pages. */
export type NotificationFilterQuery = Omit<ListNotificationsQuery, keyof PageQuery>;

export class GraphStatsQuery {
  /**
   * Number of days to look back.
   * @example 32
   */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @AsNumber()
  @IsInt()
  @Min(1)
  @Max(366)
  days: number = 32;
}
