import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { NAME_LENGTH, ReadBack } from '#libs/http-kit';
import { SubscriberProfileDto } from './create-subscriber.dto.js';

/** What is absent stays; `null` takes a value away, and so does an empty `email`. */
@ReadBack('subscriberId', 'channels', 'isOnline', 'lastOnlineAt')
export class UpdateSubscriberDto extends SubscriberProfileDto {
  /**
   * Email address.
   * @example ada@example.com
   */
  @Transform(({ value }: { value: unknown }) => (value === '' ? null : value))
  @ApiPropertyOptional({ type: String, format: 'email', maxLength: NAME_LENGTH, nullable: true })
  override email?: string | null;
}
