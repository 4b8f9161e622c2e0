import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsEmail,
  IsIn,
  IsMongoId,
  IsOptional,
  IsString,
  MaxLength,
  MinLength,
} from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { IsName, OptionalString } from '#libs/http-kit';
import { type Role, ROLES } from './roles.js';

const MAX_EMAIL = 254;
/** Longer ones would only cost time. */
const MAX_PASSWORD = 256;
const MAX_CODE = 30;

/** Compared in lower case. */
const lowered = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' ? value.trim().toLowerCase() : value;

function IsAddress(): PropertyDecorator {
  return applyDecorators(Transform(lowered), IsEmail(), MaxLength(MAX_EMAIL));
}

function IsPassword(): PropertyDecorator {
  return applyDecorators(
    IsString(),
    MinLength(1),
    MaxLength(MAX_PASSWORD),
    ApiProperty({ type: String, minLength: 1, maxLength: MAX_PASSWORD, format: 'password' }),
  );
}

export class SignInDto {
  /** Your address. @example ada@example.com */
  @IsAddress()
  email: string;

  /** Your password. @example lamp river oval 47 */
  @IsPassword()
  password: string;

  /** If your account needs one: the six digits of the authenticator app, or a recovery code. @example 492039 */
  @OptionalString(MAX_CODE)
  code?: string | null;
}

export class LinkTokenDto {
  /** What follows `#` in the link. @example 0Zc1Qk5sVt0d5p8rW2a9uY7xE3bNfHjL6mKqTgSvBnI */
  @IsString()
  @MaxLength(100)
  token: string;
}

export class AcceptInvitationDto extends LinkTokenDto {
  /** The new password; that of your account, if you have one. @example lamp river oval 47 */
  @IsPassword()
  password: string;

  /** Your name; ignored if you have an account. Default: the beginning of your email address. @example Ada Lovelace */
  @OptionalString()
  name?: string | null;

  /** If your account needs one: the six digits of the authenticator app, or a recovery code. @example 492039 */
  @OptionalString(MAX_CODE)
  code?: string | null;

  /** Your address; ignored if the invitation has one. @example ada@example.com */
  @IsOptional()
  @IsAddress()
  @ApiPropertyOptional({ type: String, nullable: true, example: 'ada@example.com' })
  email?: string | null;
}

export class InviteDto {
  /** Whom you invite. @example grace@example.com */
  @IsAddress()
  email: string;

  /** `viewer` reads, `editor` also changes and sends, `owner` also sees secrets, and manages keys and people. */
  @IsIn(ROLES)
  @ApiProperty({ enum: ROLES, example: 'editor' })
  role: Role;

  /** Environments in which the role applies. Default: the environment of the request. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(20)
  @IsMongoId({ each: true })
  @ApiPropertyOptional({ type: [String], nullable: true, example: [] })
  environmentIds?: string[] | null;
}

export class ChangeRoleDto {
  /** The role in the environment of the request. */
  @IsIn(ROLES)
  @ApiProperty({ enum: ROLES, example: 'viewer' })
  role: Role;
}

export class RenameMeDto {
  /** Your name, as others see it. @example Ada Lovelace */
  @IsName()
  name: string;
}

export class ChangePasswordDto {
  /** The password that you have. @example lamp river oval 47 */
  @IsPassword()
  currentPassword: string;

  /** The one that you want. @example bridge maple quiet 12 */
  @IsPassword()
  newPassword: string;
}

export class PasswordDto {
  /** Your password. @example lamp river oval 47 */
  @IsPassword()
  password: string;
}

export class DisableTotpDto extends PasswordDto {
  /** The six digits of the authenticator app, or a recovery code. @example 492039 */
  @IsString()
  @MaxLength(MAX_CODE)
  code: string;
}

export class ConfirmTotpDto {
  /** The six digits that the authenticator app shows. @example 492039 */
  @IsString()
  @MaxLength(MAX_CODE)
  code: string;
}
