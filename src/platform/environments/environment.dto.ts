import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsDate,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  MinDate,
  ValidateNested,
} from 'class-validator';
import { apiOf, AsDeclared, IsName, IsValidBy, NAME_LENGTH } from '#libs/http-kit';
import { sendWindow, type SendWindow, SUBSCRIBER_ZONE } from '#libs/schedule';
import { rule } from '#libs/validation';
import { KEY_SCOPES, type KeyScope } from '#libs/common';
import { AGENT_DEFAULTS, KEY_KINDS, type KeyKind } from '../auth/index.js';

const MAX_CALLS = 6_000;
const MAX_NOTIFICATIONS = 10_000;
const MAX_PERIOD = 44_640;
const MAX_AT_ONCE = 1_000;
const MAX_APPROVERS = 20;

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

/** Agents have no zone of their own. */
const ownWindow = rule(sendWindow, ({ timezone }, report) => {
  if (timezone === SUBSCRIBER_ZONE) report('must be a time zone, such as Europe/Berlin', 'timezone');
});

/** What an agent may do without a person. */
export class AgentLimitsDto {
  /** Calls of `/mcp` in a minute. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_CALLS)
  @ApiPropertyOptional({ type: 'integer', nullable: true, default: AGENT_DEFAULTS.callsPerMinute })
  callsPerMinute?: number | null;

  /** Notifications in any stretch of `periodMinutes`, one for each recipient. 0: it may not send. */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_NOTIFICATIONS)
  @ApiPropertyOptional({ type: 'integer', nullable: true, default: AGENT_DEFAULTS.notifications })
  notifications?: number | null;

  /** Different subscribers in the same time. */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_NOTIFICATIONS)
  @ApiPropertyOptional({ type: 'integer', nullable: true, default: AGENT_DEFAULTS.people })
  people?: number | null;

  /** Length of the period in minutes, up to 31 days. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_PERIOD)
  @ApiPropertyOptional({ type: 'integer', nullable: true, default: AGENT_DEFAULTS.periodMinutes })
  periodMinutes?: number | null;

  /** To more recipients at once, the agent sends only if a person says yes. 0: a person has to agree to everything. */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_AT_ONCE)
  @ApiPropertyOptional({ type: 'integer', nullable: true, default: AGENT_DEFAULTS.approvalAbove })
  approvalAbove?: number | null;

  /** Subscribers who are asked then, by your identifiers. People of the console can decide as well. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_APPROVERS)
  @ArrayUnique()
  @IsString({ each: true })
  @MaxLength(NAME_LENGTH, { each: true })
  @ApiPropertyOptional({ type: [String], nullable: true, example: ['ada'] })
  approvers?: string[] | null;

  /** When the agent may send, in UTC or the time zone that it names. Default: at any time. */
  @IsOptional()
  @AsDeclared(ownWindow)
  @IsValidBy('isSendWindow', ownWindow)
  @ApiPropertyOptional(apiOf(sendWindow))
  sendWindow?: SendWindow | null;
}

export class IssueApiKeyDto {
  /** Purpose of the key. @example ci */
  @IsName()
  name: string;

  /** `agent`: a key for `/mcp`, which no other route takes. It cannot have the scope `admin`. */
  @IsOptional()
  @IsIn(KEY_KINDS)
  @ApiPropertyOptional({ enum: KEY_KINDS, nullable: true, default: 'server' })
  kind?: KeyKind | null;

  /** What the agent may do without a person. Only of the kind `agent`. */
  @IsOptional()
  @Type(() => AgentLimitsDto)
  @ValidateNested()
  limits?: AgentLimitsDto | null;

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

export class UpdateApiKeyDto {
  /** Those that are absent stay; null gives one its usual value back. */
  @Type(() => AgentLimitsDto)
  @IsObject()
  @ValidateNested()
  limits: AgentLimitsDto;
}

export class UpdateEnvironmentDto {
  /** Whether workflows, layouts and whatever else definitions describe change by promotion only. @example false */
  @IsBoolean()
  isReadOnly: boolean;
}
