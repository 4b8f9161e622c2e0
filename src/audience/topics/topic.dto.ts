import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { AsNumber, IsName, IsValidBy, NAME_LENGTH, OptionalString, PageQuery, ReadBack } from '#libs/http-kit';

export class CreateTopicDto {
  /**
   * Your identifier of the topic, unique in the environment.
   * @example order-4711-watchers
   */
  @IsName()
  key: string;

  /**
   * Display name.
   * @example "Watchers of order 4711"
   */
  @IsName()
  name: string;
}

@ReadBack('key', 'subscribers')
export class RenameTopicDto extends PickType(CreateTopicDto, ['name']) {}

export class ListTopicsQuery extends PageQuery {
  /**
   * Number of rows per page; alias of `limit`.
   * @example 10
   */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @AsNumber()
  @IsInt()
  @Min(1)
  @Max(100)
  pageSize?: number;

  /**
   * Only the topic with this key.
   * @example order-4711-watchers
   */
  @OptionalString()
  key?: string;
}

/** Maximum number of subscribers in one call. */
const MAX_SUBSCRIBERS = 500;

export class TopicSubscribersDto {
  /** Your identifiers of the subscribers. */
  @ApiProperty({
    type: 'array',
    minItems: 1,
    maxItems: MAX_SUBSCRIBERS,
    items: { type: 'string', minLength: 1, maxLength: NAME_LENGTH },
    example: ['ada'],
  })
  @IsValidBy('areSubscriberIds', validateSubscriberIds)
  subscribers: string[];
}

function validateSubscriberIds(ids: unknown, property: string): string[] {
  if (!Array.isArray(ids)) return [`${property} must be an array of subscriber ids`];
  if (ids.length === 0 || ids.length > MAX_SUBSCRIBERS) {
    return [`${property} must contain 1 to ${MAX_SUBSCRIBERS} subscriber ids`];
  }
  return (ids as unknown[]).flatMap((id, index) =>
    typeof id === 'string' && id !== '' && id.length <= NAME_LENGTH
      ? []
      : [`${property}.${index} must be a text of 1 to ${NAME_LENGTH} characters`],
  );
}
