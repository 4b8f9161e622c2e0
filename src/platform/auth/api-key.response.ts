import { ApiProperty } from '@nestjs/swagger';
import { shown } from '#libs/http-kit';
import { KEY_SCOPES, type KeyScope } from '#libs/common';
import type { ApiKey } from './api-key.schema.js';
import { rightsOf } from './key-rights.js';

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
