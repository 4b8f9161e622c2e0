import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsInt, IsISO8601, IsMongoId, IsOptional, Max, Min } from 'class-validator';
import { AsNumber, AsSent, IsValidBy, OptionalFlag } from '#libs/http-kit';
import {
  dataFaults,
  dateFaults,
  feedFaults,
  filterFaults,
  groupFaults,
  severityFaults,
  tagFaults,
} from '../../engine/messages/inbox/index.js';
import { SEVERITIES, type Severity } from '../../content/workflows/index.js';

const MAX_FILTERS = 50;
const MAX_SEEN = 100;

const TAGS = {
  type: 'array',
  items: { type: 'string' },
  description:
    'Only notifications with one of these tags. Several groups, of which each must match: `tags[0][]=a&tags[1][]=b`, or in a body `{ "and": [{ "or": ["a"] }, { "or": ["b"] }] }`.',
  example: ['orders'],
} as const;

/** Notifications by tags, feeds and data. */
export class TaggedNotificationsDto {
  @ApiPropertyOptional(TAGS)
  @IsOptional()
  @AsSent()
  @IsValidBy('areTagGroups', tagFaults)
  tags?: unknown;

  @ApiPropertyOptional({
    oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    description: 'Only notifications of this feed, or of these feeds, by their identifiers.',
    example: 'news',
  })
  @IsOptional()
  @AsSent()
  @IsValidBy('areFeedIdentifiers', feedFaults)
  feedIdentifier?: unknown;

  /**
   * Only notifications of this group.
   * @example comments-plan
   */
  @IsOptional()
  @IsValidBy('isGroupKey', groupFaults)
  groupKey?: string;

  /** Only notifications whose `data` has these values: a JSON object, of whose lists one value must match. */
  @ApiPropertyOptional({ type: String, example: '{"plan":"pro"}' })
  @IsOptional()
  @AsSent()
  @IsValidBy('isDataFilter', dataFaults)
  data?: unknown;
}

export class ListInboxQuery extends TaggedNotificationsDto {
  @OptionalFlag(
    'True: of the notifications with the same group key, only the newest one that matches, with the number of all in its group.',
  )
  grouped?: boolean;

  /**
   * Number of notifications.
   * @example 10
   */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @AsNumber()
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 10;

  /**
   * Id of the last notification of the page before.
   * @example 64f0c1a2b3c4d5e6f7a8b9c0
   */
  @IsOptional()
  @IsMongoId()
  after?: string;

  /** Number of notifications to skip. */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @AsNumber()
  @IsInt()
  @Min(0)
  @Max(10_000)
  offset?: number;

  @OptionalFlag('True: only read notifications. False: only unread ones.')
  read?: boolean;

  @OptionalFlag('True: only seen notifications. False: only unseen ones.')
  seen?: boolean;

  @OptionalFlag('True: only archived notifications. False: only others.')
  archived?: boolean;

  @OptionalFlag('True: only snoozed notifications. Otherwise only others.')
  snoozed?: boolean;

  @ApiPropertyOptional({ enum: SEVERITIES, isArray: true, description: 'Only notifications of these severities.' })
  @IsOptional()
  @AsSent()
  @IsValidBy('areSeverities', severityFaults)
  severity?: Severity | Severity[];

  /** Only notifications from this time on: a date, or milliseconds since 1970. */
  @ApiPropertyOptional({ type: String })
  @IsOptional()
  @IsValidBy('isTime', dateFaults)
  createdGte?: string;

  /** Only notifications up to this time: a date, or milliseconds since 1970. */
  @ApiPropertyOptional({ type: String })
  @IsOptional()
  @IsValidBy('isTime', dateFaults)
  createdLte?: string;
}

/** The list in a JSON text; undefined if it is none. */
export function parseFilters(text: unknown): Record<string, unknown>[] | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? (parsed as Record<string, unknown>[]) : undefined;
  } catch {
    return undefined;
  }
}

function faultsOfFilters(text: unknown, property: string): string[] {
  const filters = parseFilters(text);
  if (filters === undefined) return [`${property} must be a JSON array of filters`];
  if (filters.length > MAX_FILTERS) return [`${property} must have at most ${MAX_FILTERS} filters`];
  return filters.flatMap((filter, place) => filterFaults(filter, `${property}.${place}`));
}

export class CountInboxQuery {
  /**
   * JSON array of filters with `read`, `seen`, `archived`, `snoozed`, `tags`, `feedIdentifier`, `groupKey`, `severity`, `data`,
   * `createdGte` and `createdLte`.
   */
  @ApiProperty({ type: String, example: '[{"read":false,"archived":false}]' })
  @IsValidBy('areInboxFilters', faultsOfFilters)
  filters: string;
}

export class MarkSeenDto extends TaggedNotificationsDto {
  /**
   * Only these notifications.
   * @example ["64f0c1a2b3c4d5e6f7a8b9c0"]
   */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_SEEN)
  @IsMongoId({ each: true })
  notificationIds?: string[] | null;
}

export class SnoozeDto {
  /** When the notification appears again. */
  @ApiProperty({ type: String, format: 'date-time', example: '2026-12-01T09:00:00.000Z' })
  @IsISO8601({ strict: true })
  snoozeUntil: string;
}

const CHANGES = ['read', 'unread', 'archive', 'unarchive', 'unsnooze'] as const;

export type NotificationChange = (typeof CHANGES)[number];

export class NotificationChangeParams {
  @ApiProperty({ enum: CHANGES, example: 'read', description: 'The change.' })
  @IsIn(CHANGES)
  change: NotificationChange;
}

const BUTTONS = ['primary', 'secondary'] as const;

export class ButtonDto {
  /** The button. */
  @ApiProperty({ enum: BUTTONS, example: 'primary' })
  @IsIn(BUTTONS)
  actionType: (typeof BUTTONS)[number];
}
