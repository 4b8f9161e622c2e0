import { Injectable } from '@nestjs/common';
import { type Caller, KEY_SCOPES } from '#libs/common';
import { MASKED, ValidationFailed } from '#libs/http-kit';
import { withoutNullish } from '#libs/persistence';
import { AGENT_DEFAULTS, AGENT_SCOPES, type AgentLimits, type LimitChange } from './agent-limits.js';
import { ApiKeysService, type IssueOptions, type RevealedKey } from './api-keys.service.js';
import { KeyExceedsIssuer } from './auth.errors.js';
import { type ApiKeyResponse, type IssuedApiKeyResponse, type KeyKind, showApiKey } from './api-key.response.js';
import { CallerRights, giveWhile } from './caller-rights.js';
import { assertScope, excessOf, rightsOf } from './key-rights.js';

interface AskedKey extends Omit<IssueOptions, 'limits'> {
  readonly kind?: KeyKind | null;
  readonly limits?: LimitChange | null;
}

const ONLY_AGENTS = 'limits are for keys of the kind agent';

/** A new key never outlives or outranks the key that requests it. */
@Injectable()
export class CallerKeysService {
  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly rights: CallerRights,
  ) {}

  /** Scopes and expiry default to the caller's. @throws {ValidationFailed} @throws {KeyExceedsIssuer} */
  async issue(caller: Caller, { name, scopes, expiresAt, ...asked }: AskedKey): Promise<IssuedApiKeyResponse> {
    const ends = expiresAt ?? caller.expiresAt;
    const limits = limitsOf(asked);
    const own = limits === undefined ? caller.scopes : AGENT_SCOPES.filter((scope) => caller.scopes.includes(scope));
    const rights = { scopes: scopes ?? own, ...(ends && { expiresAt: ends }) };
    if (limits !== undefined && rights.scopes.includes('admin'))
      throw new ValidationFailed(['scopes must not have admin: agents cannot give rights to others']);
    return this.issueWithin(caller, { name, ...rights, ...(limits && { limits }), issuedBy: caller.apiKeyId });
  }

  /** @throws {KeyExceedsIssuer} when the old key has more rights than the caller */
  async rotate(caller: Caller, id: string): Promise<IssuedApiKeyResponse> {
    return this.apiKeys.rotate(caller, id, (options) => this.issueWithin(caller, options));
  }

  /** @throws {ApiKeyNotFound} @throws {ValidationFailed} @throws {KeyExceedsIssuer} when the key has more rights than the caller */
  async changeLimits(caller: Caller, id: string, change: LimitChange): Promise<ApiKeyResponse> {
    const { environmentId, apiKeyId } = caller;
    const key = await this.apiKeys.get(environmentId, id);
    if (key.limits === undefined) throw new ValidationFailed([ONLY_AGENTS]);
    await giveWhile(
      () => this.assertWithin(caller, rightsOf(key)),
      () => this.apiKeys.changeLimits(environmentId, id, change),
      (former) => this.apiKeys.changeLimits(environmentId, id, former),
    );
    return showApiKey(await this.apiKeys.get(environmentId, id), apiKeyId);
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

  private async assertWithin(
    caller: Caller,
    { scopes, expiresAt }: Pick<IssueOptions, 'scopes' | 'expiresAt'>,
  ): Promise<void> {
    const own = await this.rights.now(caller);
    assertScope(own, 'admin');
    const excess = excessOf({ scopes: scopes ?? KEY_SCOPES, ...(expiresAt && { expiresAt }) }, own);
    if (excess !== undefined) throw new KeyExceedsIssuer(excess);
  }
}

function limitsOf({ kind, limits }: Pick<AskedKey, 'kind' | 'limits'>): AgentLimits | undefined {
  if (kind === 'agent') return { ...AGENT_DEFAULTS, ...withoutNullish({ ...limits }) };
  if (limits) throw new ValidationFailed([ONLY_AGENTS]);
  return undefined;
}
