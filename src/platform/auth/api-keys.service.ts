import { hash as digest } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { LRUCache } from 'lru-cache';
import { type Model, Types } from 'mongoose';
import { INCLUDE_DELETED, isObjectId, OLDEST_FIRST, partialUpdate, softDeleted } from '#libs/persistence';
import { newSecret, type SealedPlace, SecretBox, SecretUnreadableError } from '#libs/secrets';
import { type Caller, KEY_SCOPES, type KeyScope, type TenantContext } from '#libs/common';
import { AGENT_DEFAULTS, type AgentLimits, type LimitChange } from './agent-limits.js';
import { ApiKey, SEALED_KEY } from './api-key.schema.js';
import { ApiKeyRevocations } from './api-key-revocations.js';
import { ApiKeyExpired, ApiKeyNotFound, Unauthorized } from './auth.errors.js';
import { type ApiKeyResponse, type IssuedApiKeyResponse, showApiKey, showIssuedApiKey } from './api-key.response.js';
import { type KeyHeaders, keyFrom } from './key-header.js';
import { isExpired, rightsOf } from './key-rights.js';

/** Other processes may accept a revoked key for this time. */
const CACHE_MS = 2_000;
/** Minimum interval between writes of `lastUsedAt`. */
const LAST_USE_INTERVAL_MS = 60_000;
const OF_SERVERS = { limits: { $exists: false } };

export interface KeyOwner {
  readonly organizationId: string;
  readonly environmentId: string;
  readonly userId: string;
}

export interface IssueOptions {
  readonly name: string;
  readonly key?: string;
  readonly expiresAt?: Date | null;
  /** Default: all scopes. */
  readonly scopes?: readonly KeyScope[] | null;
  readonly issuedBy?: string;
  /** Makes it a key for an agent. */
  readonly limits?: AgentLimits;
}

export interface RevealedKey {
  readonly key: string;
  readonly _userId: string;
  readonly keyError?: string;
}

interface KnownKey {
  readonly caller: Caller;
  lastUsedAt: Date | undefined;
}

@Injectable()
export class ApiKeysService {
  /** Limited by size: a limit of entries would reserve 0.4 MB at once. */
  private readonly known = new LRUCache<string, KnownKey>({ maxSize: 10_000, sizeCalculation: () => 1, ttl: CACHE_MS });

  constructor(
    @InjectModel(ApiKey.name) private readonly keys: Model<ApiKey>,
    private readonly secrets: SecretBox,
    private readonly revocations: ApiKeyRevocations,
  ) {}

  /**
   * Synchronous if the key was used within the last seconds.
   * @throws {Unauthorized} without a live key
   */
  authenticate(headers: KeyHeaders): Caller | Promise<Caller> {
    const hash = hashOf(keyFrom(headers));
    const known = this.known.get(hash);
    return known === undefined ? this.load(hash).then((found) => this.admit(hash, found)) : this.admit(hash, known);
  }

  /** Whose key it was, if it was revoked or has expired. */
  async formerOwner(headers: KeyHeaders): Promise<TenantContext | undefined> {
    const [hash] = hashesOf(headers);
    if (hash === undefined) return undefined;
    const row = await this.keys.findOne({ hash }).setOptions(INCLUDE_DELETED).lean().exec();
    return row === null ? undefined : callerOf(row);
  }

  async issue(owner: KeyOwner, options: IssueOptions): Promise<IssuedApiKeyResponse> {
    const key = options.key ?? newSecret();
    const _id = new Types.ObjectId();
    const record = await this.keys.create({
      _id,
      _organizationId: owner.organizationId,
      _environmentId: owner.environmentId,
      _userId: owner.userId,
      name: options.name,
      hash: hashOf(key),
      sealed: this.secrets.seal(key, SEALED_KEY.of(_id, owner.environmentId)),
      scopes: [...(options.scopes ?? KEY_SCOPES)],
      ...(options.limits && { limits: options.limits }),
      ...(options.issuedBy !== undefined && { issuedBy: options.issuedBy }),
      ...(options.expiresAt && { expiresAt: options.expiresAt }),
    });
    return showIssuedApiKey(record.toObject(), key);
  }

  /** Ensures that the key works with all scopes: issues a new one, restores a revoked one. */
  async ensure(owner: KeyOwner, key: string, name: string): Promise<void> {
    const _id = new Types.ObjectId();
    const placeOf = (id: Types.ObjectId): SealedPlace => SEALED_KEY.of(id, owner.environmentId);
    const row = await this.keys.findOneAndUpdate(
      { hash: hashOf(key) },
      {
        $set: {
          _organizationId: owner.organizationId,
          _environmentId: owner.environmentId,
          deleted: false,
        },
        $unset: { deletedAt: 1, deletedBy: 1, expiresAt: 1, scopes: 1, limits: 1 },
        $setOnInsert: { _id, _userId: owner.userId, name, sealed: this.secrets.seal(key, placeOf(_id)) },
      },
      { upsert: true, returnDocument: 'after', lean: true, ...INCLUDE_DELETED },
    );
    if (row === null || this.secrets.tryOpen(row.sealed, placeOf(row._id)) !== undefined) return;
    // The sealed text is unreadable or was bound to another environment: seal it again.
    await this.keys.updateOne(
      { _id: row._id, sealed: row.sealed },
      { $set: { sealed: this.secrets.seal(key, placeOf(row._id)) } },
    );
  }

  async list(environmentId: string, askedBy?: string): Promise<ApiKeyResponse[]> {
    const rows = await this.keys.find({ _environmentId: environmentId }).sort(OLDEST_FIRST).lean().exec();
    return rows.map((row) => showApiKey(row, askedBy));
  }

  /** Also of keys that were revoked. */
  async namesByIds(environmentId: string, ids: readonly string[]): Promise<Map<string, string>> {
    const wanted = [...new Set(ids)].filter((id) => isObjectId(id));
    if (wanted.length === 0) return new Map();
    const rows = await this.keys
      .find({ _id: { $in: wanted }, _environmentId: environmentId }, { name: 1 })
      .setOptions(INCLUDE_DELETED)
      .lean()
      .exec();
    return new Map(rows.map(({ _id, name }) => [_id.toHexString(), name]));
  }

  async find(environmentId: string, id: string): Promise<ApiKey | undefined> {
    if (!isObjectId(id)) return undefined;
    return (await this.keys.findOne({ _id: id, _environmentId: environmentId }).lean().exec()) ?? undefined;
  }

  async get(environmentId: string, id: string): Promise<ApiKey> {
    const row = await this.find(environmentId, id);
    if (row === undefined) throw new ApiKeyNotFound(id);
    return row;
  }

  /** What an agent may do with a key. From the store, so that a revoked key has none. @throws {ApiKeyNotFound} */
  async limitsOf({ environmentId, apiKeyId }: Pick<TenantContext, 'environmentId' | 'apiKeyId'>): Promise<AgentLimits> {
    const { limits } = await this.get(environmentId, apiKeyId);
    return limits ?? AGENT_DEFAULTS;
  }

  /**
   * Members that are null get their usual value back.
   * @returns them as they were
   * @throws {ApiKeyNotFound} where no agent has this key
   */
  async changeLimits(environmentId: string, id: string, change: LimitChange): Promise<LimitChange> {
    const given = Object.entries<unknown>({ ...change }).filter(([, value]) => value !== undefined);
    const usual: Readonly<Record<string, unknown>> = { ...AGENT_DEFAULTS };
    const next = given.map(([name, value]) => [`limits.${name}`, value ?? usual[name] ?? null]);
    const row = await this.keys
      .findOneAndUpdate(
        { _id: id, _environmentId: environmentId, limits: { $exists: true } },
        { ...partialUpdate(Object.fromEntries(next) as object), $inc: { __v: 1 } },
      )
      .lean()
      .exec();
    if (row?.limits === undefined) throw new ApiKeyNotFound(id);
    this.known.delete(row.hash);
    const former: Readonly<Record<string, unknown>> = { ...row.limits };
    return Object.fromEntries(given.map(([name]) => [name, former[name] ?? null]));
  }

  /** Oldest first, without those of agents: what these hold signs nothing. Internal: callers can read only their own key. */
  async reveal(environmentId: string): Promise<RevealedKey[]> {
    const rows = await this.keys
      .find({ _environmentId: environmentId, ...OF_SERVERS })
      .sort(OLDEST_FIRST)
      .lean()
      .exec();
    return rows.map((row) => this.open(row));
  }

  /** Signs for subscribers; undefined if it cannot be read. */
  async revealOldest(environmentId: string): Promise<string | undefined> {
    const row = await this.keys
      .findOne({ _environmentId: environmentId, ...OF_SERVERS })
      .sort(OLDEST_FIRST)
      .lean()
      .exec();
    return (row && this.open(row).key) || undefined;
  }

  /** If it cannot be read, `key` is empty and `keyError` has the reason; the key still works. */
  open(row: ApiKey): RevealedKey {
    const _userId = row._userId.toHexString();
    try {
      return { key: this.secrets.open(row.sealed, SEALED_KEY.of(row._id, row._environmentId)), _userId };
    } catch (error) {
      if (!(error instanceof SecretUnreadableError)) throw error;
      return { key: '', _userId, keyError: error.message };
    }
  }

  async idOf(environmentId: string, key: string): Promise<string | undefined> {
    const row = await this.keys.exists({ hash: hashOf(key), _environmentId: environmentId });
    return row?._id.toHexString();
  }

  /** @throws {ApiKeyNotFound} @throws {LastApiKey} when no other admin key would remain */
  async revoke(environmentId: string, id: string, revokedBy: string): Promise<void> {
    const target = await this.get(environmentId, id);
    await this.revocations.reserve(target);
    const { matchedCount } = await this.keys.updateOne({ _id: target._id }, softDeleted(revokedBy, new Date()));
    await this.revocations.release(target);
    this.known.delete(target.hash);
    if (matchedCount === 0) throw new ApiKeyNotFound(id);
  }

  /** Of a key that nobody has seen. */
  async discard(id: string): Promise<void> {
    await this.keys.deleteOne({ _id: id });
  }

  /** The old key stops working immediately. */
  async rotate(
    by: KeyOwner & { apiKeyId: string },
    id: string,
    issue = (options: IssueOptions) => this.issue(by, options),
  ): Promise<IssuedApiKeyResponse> {
    const old = await this.get(by.environmentId, id);
    const rights = rightsOf(old);
    if (isExpired(rights, new Date())) throw new ApiKeyExpired(id);
    const kind = old.limits && { limits: old.limits };
    const issued = await issue({ name: old.name, ...rights, ...kind, issuedBy: by.apiKeyId });
    try {
      await this.revoke(by.environmentId, id, by.apiKeyId);
    } catch (error) {
      // Another request revoked the old key first, and the caller never learns the new one: delete it. After any other
      // failure keep it, as the old one may already be revoked.
      if (error instanceof ApiKeyNotFound) await this.discard(issued._id);
      throw error;
    }
    return issued;
  }

  async anyExists(): Promise<boolean> {
    return (await this.keys.exists({})) !== null;
  }

  private admit(hash: string, found: KnownKey | undefined): Caller {
    const now = new Date();
    if (found === undefined || isExpired(found.caller, now)) {
      throw new Unauthorized('The API key is unknown, revoked or expired.');
    }
    this.noteUse(hash, found, now);
    return found.caller;
  }

  private async load(hash: string): Promise<KnownKey | undefined> {
    const row = await this.keys.findOne({ hash }).lean().exec();
    if (row === null) return undefined;
    const known: KnownKey = {
      caller: callerOf(row),
      lastUsedAt: row.lastUsedAt,
    };
    this.known.set(hash, known);
    return known;
  }

  /** Not awaited and may fail: recording the use must not delay or refuse a request. */
  private noteUse(hash: string, known: KnownKey, now: Date): void {
    if (known.lastUsedAt !== undefined && now.getTime() - known.lastUsedAt.getTime() < LAST_USE_INTERVAL_MS) return;
    known.lastUsedAt = now;
    void this.keys
      .updateOne({ hash }, { $set: { lastUsedAt: now } }, { timestamps: false })
      .exec()
      .catch(() => undefined);
  }
}

function hashOf(key: string): string {
  return digest('sha256', key, 'hex');
}

function callerOf(row: ApiKey): Caller {
  return {
    organizationId: row._organizationId.toHexString(),
    environmentId: row._environmentId.toHexString(),
    userId: row._userId.toHexString(),
    apiKeyId: row._id.toHexString(),
    ...rightsOf(row),
    ...(row.limits && { agent: { callsPerMinute: row.limits.callsPerMinute } }),
  };
}

/** None for headers without a key, or with different ones. */
function hashesOf(headers: KeyHeaders): string[] {
  try {
    return [hashOf(keyFrom(headers))];
  } catch {
    return [];
  }
}
