import type { ApiKey } from '../api-key.schema.js';

/** An API key without the key itself. */
export class ApiKeyResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  /** @example ci */
  name: string;
  _environmentId: string;
  _userId: string;
  createdAt: Date;
  /** Exact to the minute; absent until first used. */
  lastUsedAt?: Date;
  expiresAt?: Date;

  static from(row: ApiKey): ApiKeyResponse {
    return Object.assign(new ApiKeyResponse(), {
      _id: row._id.toHexString(),
      id: row._id.toHexString(),
      name: row.name,
      _environmentId: row._environmentId.toHexString(),
      _userId: row._userId.toHexString(),
      createdAt: row.createdAt,
      ...(row.lastUsedAt && { lastUsedAt: row.lastUsedAt }),
      ...(row.expiresAt && { expiresAt: row.expiresAt }),
    });
  }
}

/** A key that was just issued. */
export class IssuedApiKeyResponse extends ApiKeyResponse {
  /** The key. @example 0a1b2c3d4e5f60718293a4b5c6d7e8f9 */
  key: string;

  static issued(row: ApiKey, key: string): IssuedApiKeyResponse {
    return Object.assign(new IssuedApiKeyResponse(), ApiKeyResponse.from(row), { key });
  }
}
