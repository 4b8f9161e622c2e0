import { Transform } from 'class-transformer';
import { IsEmail, IsOptional, MaxLength } from 'class-validator';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsName, NAME_LENGTH, OptionalString } from '#libs/http-kit';

export class InitializeSessionDto {
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

  /**
   * First name. Profile fields are stored for a new subscriber; those of an existing one change only with an HMAC.
   * @example Ada
   */
  @OptionalString()
  firstName?: string | null;

  /**
   * Last name.
   * @example Lovelace
   */
  @OptionalString()
  lastName?: string | null;

  /**
   * Email address.
   * @example ada@example.com
   */
  @IsOptional()
  @IsEmail()
  @MaxLength(NAME_LENGTH)
  @ApiPropertyOptional({ type: String, format: 'email', maxLength: NAME_LENGTH, nullable: true })
  email?: string | null;

  /**
   * Phone number with country code.
   * @example +15551230100
   */
  @OptionalString()
  phone?: string | null;
}
