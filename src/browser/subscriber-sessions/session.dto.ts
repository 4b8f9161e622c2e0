import { Transform } from 'class-transformer';
import { PickType } from '@nestjs/swagger';
import { IsName, OptionalString } from '#libs/http-kit';
import { SubscriberProfileDto } from '../../audience/subscribers/index.js';

/** Profile fields are stored for a new subscriber; those of an existing one change only with an HMAC. */
export class InitializeSessionDto extends PickType(SubscriberProfileDto, [
  'firstName',
  'lastName',
  'email',
  'phone',
] as const) {
  /**
   * Identifier of the environment, which GET /v1/environments/me shows as `identifier`.
   * @example aB3dE5fG7hJ9
   */
  @IsName()
  applicationIdentifier: string;

  /**
   * Your identifier of the user. The subscriber is created if there is none.
   * @example ada
   */
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  @IsName()
  subscriberId: string;

  /**
   * HMAC-SHA256 of the `subscriberId` in hexadecimal digits, keyed with the oldest API key of the environment. Required
   * if the in-app integration has `hmac` in its credentials.
   */
  @OptionalString()
  hmacHash?: string | null;
}
