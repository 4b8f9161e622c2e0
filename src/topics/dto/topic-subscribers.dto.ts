import { ApiProperty } from '@nestjs/swagger';
import { IsValidBy, NAME_LENGTH } from '#libs/http-kit';

/** Most subscribers in one call. */
const MAX_SUBSCRIBERS = 500;

export class TopicSubscribersDto {
  /** Your own identifiers of the subscribers. */
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
