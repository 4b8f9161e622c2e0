/** Record ids as text: 24 hexadecimal digits, the only form on the wire. */
export const OBJECT_ID_PATTERN = /^[0-9a-fA-F]{24}$/;

/**
 * The caller, as established by the API key. It is the first argument of every service method, in the API and in
 * the worker alike, so that no query can forget whose data it touches.
 */
export interface TenantContext {
  /** 24-hex id of the organization. */
  readonly organizationId: string;
  /** 24-hex id of the environment that the key belongs to. */
  readonly environmentId: string;
  /** 24-hex id of the user that the key was issued for. */
  readonly userId: string;
  /** 24-hex id of the API key; recorded as `deletedBy`. */
  readonly apiKeyId: string;
}

/** What an API key may do. No scope includes another. */
export const KEY_SCOPES = ['trigger', 'read', 'write', 'admin'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** What a key may do, and until when. */
export interface KeyRights {
  readonly scopes: readonly KeyScope[];
  /** Absent: it does not expire. */
  readonly expiresAt?: Date;
}

/** The tenant of a request, with the rights of its API key. */
export interface Caller extends TenantContext, KeyRights {}
