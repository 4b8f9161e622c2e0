import { Injectable } from '@nestjs/common';
import { type Caller, KEY_SCOPES } from '#libs/common';
import { MASKED } from '#libs/http-kit';
import { ApiKeysService, type IssueOptions, type RevealedKey } from './api-keys.service.js';
import { KeyExceedsIssuer } from './auth.errors.js';
import type { IssuedApiKeyResponse } from './api-key.response.js';
import { CallerRights, giveWhile } from './caller-rights.js';
import { assertScope, excessOf } from './key-rights.js';

/** A new key never outlives or outranks the key that requests it. */
@Injectable()
export class CallerKeysService {
  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly rights: CallerRights,
  ) {}

  /** Scopes and expiry default to the caller's. */
  async issue(caller: Caller, { name, scopes, expiresAt }: IssueOptions): Promise<IssuedApiKeyResponse> {
    const ends = expiresAt ?? caller.expiresAt;
    const rights = { scopes: scopes ?? caller.scopes, ...(ends && { expiresAt: ends }) };
    return this.issueWithin(caller, { name, ...rights, issuedBy: caller.apiKeyId });
  }

  /** @throws {KeyExceedsIssuer} when the old key has more rights than the caller */
  async rotate(caller: Caller, id: string): Promise<IssuedApiKeyResponse> {
    return this.apiKeys.rotate(caller, id, (options) => this.issueWithin(caller, options));
  }

  /** The caller's own key in clear text first, as clients expect it; the others masked. A person has none. */
  async readBack({ environmentId, apiKeyId, person }: Caller): Promise<RevealedKey[]> {
    const own = person === undefined ? await this.apiKeys.get(environmentId, apiKeyId) : undefined;
    const others = (await this.apiKeys.list(environmentId)).filter(({ _id }) => _id !== apiKeyId);
    return [...(own ? [this.apiKeys.open(own)] : []), ...others.map(({ _userId }) => ({ key: MASKED, _userId }))];
  }

  private issueWithin(caller: Caller, options: IssueOptions): Promise<IssuedApiKeyResponse> {
    return giveWhile(
      () => this.assertWithin(caller, options),
      () => this.apiKeys.issue(caller, options),
      ({ _id }) => this.apiKeys.discard(_id),
    );
  }

  private async assertWithin(caller: Caller, { scopes, expiresAt }: IssueOptions): Promise<void> {
    const own = await this.rights.now(caller);
    assertScope(own, 'admin');
    const excess = excessOf({ scopes: scopes ?? KEY_SCOPES, ...(expiresAt && { expiresAt }) }, own);
    if (excess !== undefined) throw new KeyExceedsIssuer(excess);
  }
}
