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
   * What the key is for.
   * @example ci
   */
  name: string;
  /** What the key may do. No scope includes another. */
  @ApiProperty({ enum: KEY_SCOPES, isArray: true, example: ['trigger', 'read'] })
  scopes: KeyScope[];
  /** Whether it is the key of this request. */
  current: boolean;
  /** Id of the API key that issued it, or `command line`; absent on older keys. */
  issuedBy?: string;
  _environmentId: string;
  _userId: string;
  createdAt: Date;
  /** When the key was last used, to the minute; absent until it is used. */
  lastUsedAt?: Date;
  /** When the key stops working; absent if it never does. */
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
    ...(row.issuedBy !== undefined && { issuedBy: row.issuedBy }),
    _environmentId: row._environmentId.toHexString(),
    _userId: row._userId.toHexString(),
    createdAt: row.createdAt,
    ...(row.lastUsedAt && { lastUsedAt: row.lastUsedAt }),
    ...(row.expiresAt && { expiresAt: row.expiresAt }),
  });
}

/** A key that was just issued. */
export class IssuedApiKeyResponse extends ApiKeyResponse {
  /** The API key. Only this answer shows it. @example 0a1b2c3d4e5f60718293a4b5c6d7e8f9 */
  key: string;
}

export function showIssuedApiKey(row: ApiKey, key: string): IssuedApiKeyResponse {
  return shown(IssuedApiKeyResponse, { ...showApiKey(row), key });
}
