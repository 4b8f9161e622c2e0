import { ApiHideProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import {
  AsSent,
  IsFreeForm,
  IsName,
  IsValidBy,
  LinkedPageQuery,
  NAME_LENGTH,
  OptionalFlag,
  OptionalString,
  OrderedBy,
} from '#libs/http-kit';
import { isGiven, isObject } from '#libs/validation';
import { NotServedField } from '../not-served/index.js';

/** Maximum number of subscribers in one call. */
const MAX_SUBSCRIBERS = 500;

export class UpsertTopicQuery {
  @OptionalFlag('Whether a topic with the same key is refused, and not updated.')
  failIfExists?: boolean;
}

export class UpdateTopicDto {
  /**
   * Display name.
   * @example "Watchers of order 4711"
   */
  @IsOptional()
  @IsName()
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: NAME_LENGTH, nullable: true })
  name?: string | null;

  /** Free-form data, returned exactly as sent, and replaced as a whole; null removes it. */
  @IsOptional()
  @IsFreeForm()
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, nullable: true, example: { region: 'eu' } })
  data?: Record<string, unknown> | null;
}

export class UpsertTopicDto extends UpdateTopicDto {
  /**
   * Your identifier of the topic, unique in the environment.
   * @example order-4711-watchers
   */
  @IsName()
  key: string;
}

export class LinkedTopicsQuery extends LinkedPageQuery {
  @OrderedBy('_id', 'createdAt')
  orderBy?: string;

  /**
   * Only the topic with this key.
   * @example order-4711-watchers
   */
  @OptionalString()
  key?: string | null;

  @ApiHideProperty()
  @NotServedField()
  name?: unknown;
}

export class SubscriptionsOfTopicQuery extends LinkedPageQuery {
  @OrderedBy('subscriberId')
  orderBy?: string;

  /**
   * Only the subscription of this subscriber.
   * @example ada
   */
  @OptionalString()
  subscriberId?: string | null;
}

/** A subscription is named by the subscriber, of whom a topic has one. */
export interface NamedSubscription {
  readonly subscriberId?: string | null;
  readonly identifier?: string | null;
}

const ID = { type: 'string', minLength: 1, maxLength: NAME_LENGTH } as const;

export class SubscriptionsDto {
  /** Your identifiers of the subscribers; older form of `subscriptions`. */
  @ApiPropertyOptional({ type: 'array', maxItems: MAX_SUBSCRIBERS, items: ID, nullable: true, deprecated: true })
  @IsOptional()
  @AsSent()
  @IsValidBy('areSubscriberIds', subscriberFaults)
  subscriberIds?: string[] | null;

  /** Your identifiers of the subscribers, or objects with a `subscriberId`. An `identifier` must be equal to it. */
  @ApiPropertyOptional({
    type: 'array',
    maxItems: MAX_SUBSCRIBERS,
    items: { oneOf: [ID, { type: 'object', properties: { subscriberId: ID, identifier: ID } }] },
    nullable: true,
    example: ['ada'],
  })
  @IsOptional()
  @AsSent()
  @IsValidBy('areSubscriptions', subscriberFaults)
  subscriptions?: (string | NamedSubscription)[] | null;
}

export class AddSubscriptionsDto extends SubscriptionsDto {
  /**
   * Display name of the topic, if it is created.
   * @example "Watchers of order 4711"
   */
  @IsOptional()
  @IsName()
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: NAME_LENGTH, nullable: true })
  name?: string | null;

  @ApiHideProperty()
  @NotServedField()
  context?: unknown;

  @ApiHideProperty()
  @NotServedField()
  preferences?: unknown;
}

export class UpdateSubscriptionDto {
  @ApiHideProperty()
  @NotServedField()
  name?: unknown;

  @ApiHideProperty()
  @NotServedField()
  preferences?: unknown;
}

function subscriberFaults(entries: unknown, property: string): string[] {
  if (!Array.isArray(entries)) return [`${property} must be an array of subscriber ids`];
  if (entries.length > MAX_SUBSCRIBERS) return [`${property} must contain at most ${MAX_SUBSCRIBERS} subscriber ids`];
  return (entries as unknown[]).flatMap((entry, place) => entryFaults(entry, `${property}.${place}`));
}

function entryFaults(entry: unknown, path: string): string[] {
  if (!isObject(entry)) return isId(entry) ? [] : [`${path} must be a text of 1 to ${NAME_LENGTH} characters`];
  const { subscriberId, identifier } = entry;
  const given = [subscriberId, identifier].filter(isGiven);
  if (given.length === 0) return [`${path}.subscriberId must be a text of 1 to ${NAME_LENGTH} characters`];
  return given.every(isId) ? [] : [`${path} must have texts of 1 to ${NAME_LENGTH} characters`];
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= NAME_LENGTH;
}
