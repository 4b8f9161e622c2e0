/**
 * Who is asking, as established by the API key. It is the first argument of every service method, in the API and in
 * the worker alike, so that no query can forget whose data it touches (decisions 2.1).
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
