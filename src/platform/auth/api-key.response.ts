import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { KEY_SCOPES, type KeyScope } from '#libs/common';
import { apiOf, shown } from '#libs/http-kit';
import { sendWindow, type SendWindow } from '#libs/schedule';
import type { AgentLimits } from './agent-limits.js';
import type { ApiKey } from './api-key.schema.js';
import { rightsOf } from './key-rights.js';

export const KEY_KINDS = ['server', 'agent'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** What an agent may do without a person. */
export class AgentLimitsResponse implements AgentLimits {
  /** Calls of `/mcp` in a minute. */
  @ApiProperty({ type: 'integer', example: 60 })
  callsPerMinute: number;
  /** Notifications in any stretch of `periodMinutes`, one for each recipient. */
  @ApiProperty({ type: 'integer', example: 60 })
  notifications: number;
  /** Different subscribers in the same time. */
  @ApiProperty({ type: 'integer', example: 60 })
  people: number;
  /** Length of the period in minutes. */
  @ApiProperty({ type: 'integer', example: 60 })
  periodMinutes: number;
  /** To more recipients at once, the agent sends only if a person says yes. */
  @ApiProperty({ type: 'integer', example: 10 })
  approvalAbove: number;
  /** Subscribers who are asked then, by your identifiers. @example ["ada"] */
  approvers: string[];
  /** When the agent may send; absent: at any time. */
  @ApiPropertyOptional(apiOf(sendWindow))
  sendWindow?: SendWindow;
}

/** An API key without the key itself. */
export class ApiKeyResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  /**
   * Purpose of the key.
   * @example ci
   */
  name: string;
  /** Scopes of the key. No scope includes another. */
  @ApiProperty({ enum: KEY_SCOPES, isArray: true, example: ['trigger', 'read'] })
  scopes: KeyScope[];
  /** `agent`: a key for `/mcp`, which no other route takes. */
  @ApiProperty({ enum: KEY_KINDS, example: 'server' })
  kind: KeyKind;
  /** Only of the kind `agent`. */
  limits?: AgentLimitsResponse;
  /** Whether this is the key of the request. */
  current: boolean;
  /** Id of the API key that issued this one, or `command line`; absent on older keys. */
  issuedBy?: string;
  _environmentId: string;
  _userId: string;
  createdAt: Date;
  /** Time of the last use, to the minute; absent until the key is used. */
  lastUsedAt?: Date;
  /** Time at which the key expires; absent if it does not. */
  expiresAt?: Date;
}

/** @param askedBy id of the key that asks */
export function showApiKey(row: ApiKey, askedBy?: string): ApiKeyResponse {
  return shown(ApiKeyResponse, {
    _id: row._id.toHexString(),
    id: row._id.toHexString(),
    name: row.name,
    scopes: [...rightsOf(row).scopes],
    kind: row.limits === undefined ? 'server' : 'agent',
    ...(row.limits && { limits: shown(AgentLimitsResponse, { ...row.limits, approvers: [...row.limits.approvers] }) }),
    current: row._id.toHexString() === askedBy,
    issuedBy: row.issuedBy,
    _environmentId: row._environmentId.toHexString(),
    _userId: row._userId.toHexString(),
    createdAt: row.createdAt,
    ...(row.lastUsedAt && { lastUsedAt: row.lastUsedAt }),
    ...(row.expiresAt && { expiresAt: row.expiresAt }),
  });
}

/** A new API key, the only response with its value. */
export class IssuedApiKeyResponse extends ApiKeyResponse {
  /** The API key. Only this response shows it. @example 0a1b2c3d4e5f60718293a4b5c6d7e8f9 */
  key: string;
}

export function showIssuedApiKey(row: ApiKey, key: string): IssuedApiKeyResponse {
  return shown(IssuedApiKeyResponse, { ...showApiKey(row), key });
}
