import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsDate, IsOptional, MinDate } from 'class-validator';
import { IsName, IsValidBy } from '#libs/http-kit';
import { KEY_SCOPES, type KeyScope } from '#libs/common';

/** An empty list is refused: it would be a key that may do nothing, where perhaps everything was meant. */
function scopeFaults(value: unknown, path: string): string[] {
  if (!Array.isArray(value) || value.length === 0) return [`${path} must be a list of at least one scope`];
  const scopes: readonly unknown[] = KEY_SCOPES;
  const faults = (value as unknown[]).flatMap((scope, index) =>
    scopes.includes(scope) ? [] : [`${path}.${index} must be one of the following values: ${KEY_SCOPES.join(', ')}`],
  );
  if (faults.length === 0 && new Set(value).size < value.length) return [`${path} must not name a scope twice`];
  return faults;
}

export class IssueApiKeyDto {
  /** Purpose of the key. @example ci */
  @IsName()
  name: string;

  /** Scopes of the key; no scope includes another. Default: the scopes of your own key. */
  @IsOptional()
  @IsValidBy('scopes', scopeFaults)
  @ApiPropertyOptional({ enum: KEY_SCOPES, isArray: true, nullable: true, example: ['trigger', 'read'] })
  scopes?: KeyScope[] | null;

  /** Time at which the key expires. Default: the expiry of your own key. @example 2099-01-01T00:00:00.000Z */
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? new Date(value) : value))
  @IsDate()
  @MinDate(() => new Date())
  expiresAt?: Date | null;
}

export class UpdateEnvironmentDto {
  /** Whether workflows, layouts and whatever else definitions describe change by promotion only. @example false */
  @IsBoolean()
  isReadOnly: boolean;
}
