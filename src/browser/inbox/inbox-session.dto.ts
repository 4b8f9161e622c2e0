import { ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { IsObject, IsOptional, isTimeZone, ValidateIf, ValidateNested } from 'class-validator';
import { IsName, OptionalString } from '#libs/http-kit';
import { SubscriberProfileDto } from '../../audience/subscribers/index.js';

const trimmed = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim() : value);

const knownZone = (value: unknown): unknown => (isTimeZone(value) ? value : undefined);

/** Who opens the Inbox. Profile fields are stored for a new subscriber; those of an existing one change only with an HMAC. */
export class InboxSubscriberDto extends OmitType(SubscriberProfileDto, ['timezone']) {
  /**
   * Your identifier of the user. The subscriber is created if there is none.
   * @example ada
   */
  @Transform(trimmed)
  @IsName()
  subscriberId: string;

  /**
   * Time zone of the browser. An unknown one is ignored.
   * @example Europe/London
   */
  @Transform(({ value }: { value: unknown }) => (value === '' || value === null ? null : knownZone(value)))
  @OptionalString()
  timezone?: string | null;
}

export class CreateInboxSessionDto {
  /**
   * Identifier of the environment, which GET /v1/environments/me shows as `identifier`.
   * @example aB3dE5fG7hJ9
   */
  @IsName()
  applicationIdentifier: string;

  /** The subscriber. */
  @ValidateIf(({ subscriberId, subscriber }: CreateInboxSessionDto) => subscriber != null || subscriberId == null)
  @IsObject()
  @ValidateNested()
  @Type(() => InboxSubscriberDto)
  @ApiPropertyOptional({ type: () => InboxSubscriberDto })
  subscriber?: InboxSubscriberDto | null;

  /**
   * Your identifier of the user, from clients that send no `subscriber`.
   * @example ada
   */
  @Transform(trimmed)
  @IsOptional()
  @IsName()
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: 255 })
  subscriberId?: string | null;

  /**
   * HMAC-SHA256 of the subscriber's id in hexadecimal digits, keyed with the oldest API key of the environment. Required if
   * the in-app integration has `hmac` in its credentials.
   */
  @OptionalString()
  subscriberHash?: string | null;
}
