/** Record ids in their only form on the wire: 24 hexadecimal digits. */
export const OBJECT_ID_PATTERN = /^[0-9a-fA-F]{24}$/;

/**
 * The caller, as identified by the API key. The first argument of every service method, so that each query is limited
 * to its data.
 */
export interface TenantContext {
  readonly organizationId: string;
  readonly environmentId: string;
  readonly userId: string;
  readonly apiKeyId: string;
}

/** No scope includes another. */
export const KEY_SCOPES = ['trigger', 'read', 'write', 'admin'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

export interface KeyRights {
  readonly scopes: readonly KeyScope[];
  /** Absent: it does not expire. */
  readonly expiresAt?: Date;
}

/** Someone who signed in to the console; there are no more rights in it than in the scopes. */
export interface CallingPerson {
  readonly userId: string;
  readonly sessionId: string;
  readonly email: string;
  readonly name: string;
}

export interface Caller extends TenantContext, KeyRights {
  /** Absent for API keys. Otherwise `apiKeyId` and `userId` are the id of the person. */
  readonly person?: CallingPerson;
  /** Of API keys for agents: they open /mcp and nothing else. */
  readonly agent?: { readonly callsPerMinute: number };
}
