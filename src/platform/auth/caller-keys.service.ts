import { Injectable } from '@nestjs/common';
import type { Caller, KeyRights } from '#libs/common';
import { ApiKeysService, type IssueOptions, type RevealedKey } from './api-keys.service.js';
import { KeyExceedsIssuer, Unauthorized } from './auth.errors.js';
import type { IssuedApiKeyResponse } from './api-key.response.js';
import { excessOf, rightsOf } from './key-rights.js';
import { MASKED } from './secret-visibility.js';

/** A new key never outlives or outranks the key that requests it. */
@Injectable()
export class CallerKeysService {
  constructor(private readonly apiKeys: ApiKeysService) {}

  /** Scopes and expiry default to the caller's. */
  async issue(caller: Caller, { name, scopes, expiresAt }: IssueOptions): Promise<IssuedApiKeyResponse> {
    const ends = expiresAt ?? caller.expiresAt;
    const rights = { scopes: scopes ?? caller.scopes, ...(ends && { expiresAt: ends }) };
    await this.assertWithin(caller, rights);
    return this.apiKeys.issue(caller, { name, ...rights, issuedBy: caller.apiKeyId });
  }

  /** @throws {KeyExceedsIssuer} when the old key has more rights than the caller */
  async rotate(caller: Caller, id: string): Promise<IssuedApiKeyResponse> {
    await this.assertWithin(caller, rightsOf(await this.apiKeys.get(caller.environmentId, id)));
    return this.apiKeys.rotate(caller, id);
  }

  /** The caller's own key in clear text first, as clients expect it; the others masked. A person has none. */
  async readBack({ environmentId, apiKeyId, person }: Caller): Promise<RevealedKey[]> {
    const own = person === undefined ? await this.apiKeys.get(environmentId, apiKeyId) : undefined;
    const others = (await this.apiKeys.list(environmentId)).filter(({ _id }) => _id !== apiKeyId);
    return [...(own ? [this.apiKeys.open(own)] : []), ...others.map(({ _userId }) => ({ key: MASKED, _userId }))];
  }

  /** Reads the store, because another process may have revoked the cached caller. */
  private async assertWithin(caller: Caller, rights: Parameters<typeof excessOf>[0]): Promise<void> {
    const excess = excessOf(rights, await this.rightsOf(caller));
    if (excess !== undefined) throw new KeyExceedsIssuer(excess);
  }

  private async rightsOf(caller: Caller): Promise<KeyRights> {
    // The role of a person was read from the store for this request, as the route needs the scope admin.
    if (caller.person !== undefined) return caller;
    const own = await this.apiKeys.find(caller.environmentId, caller.apiKeyId);
    if (own === undefined) throw new Unauthorized('The API key is unknown, revoked or expired.');
    return rightsOf(own);
  }
}
