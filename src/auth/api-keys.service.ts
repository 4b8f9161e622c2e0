import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { LRUCache } from 'lru-cache';
import type { Model } from 'mongoose';
import { INCLUDE_DELETED, isObjectId, softDeleted } from '#libs/persistence';
import { newSecret, SecretBox } from '#libs/secrets';
import type { TenantContext } from '#libs/tenancy';
import { ApiKey } from './api-key.schema.js';
import { ApiKeyNotFound, LastApiKey } from './auth.errors.js';
import { ApiKeyResponse, IssuedApiKeyResponse } from './dto/api-key.response.js';

/** How long another process may still accept a key that this one has revoked. */
const CACHE_MS = 2_000;
const LAST_USE_GRAIN_MS = 60_000;

/** What a key is issued for. */
export interface KeyOwner {
  readonly organizationId: string;
  readonly environmentId: string;
  readonly userId: string;
}

export interface IssueOptions {
  readonly name: string;
  /** The key to use; a new one is made where it is absent. */
  readonly key?: string;
  readonly expiresAt?: Date;
}

interface KnownKey {
  readonly tenant: TenantContext;
  readonly expiresAt: Date | undefined;
  lastUsedAt: Date | undefined;
}

@Injectable()
export class ApiKeysService {
  private readonly known = new LRUCache<string, KnownKey>({ max: 10_000, ttl: CACHE_MS });

  constructor(
    @InjectModel(ApiKey.name) private readonly keys: Model<ApiKey>,
    private readonly secrets: SecretBox,
  ) {}

  /** The tenant of a live key, or undefined where it is unknown, revoked or expired. */
  async authenticate(key: string): Promise<TenantContext | undefined> {
    const hash = hashOf(key);
    const found = this.known.get(hash) ?? (await this.load(hash));
    if (found === undefined || (found.expiresAt !== undefined && found.expiresAt <= new Date())) return undefined;
    this.noteUse(hash, found);
    return found.tenant;
  }

  /** Issues a key and returns it; this is the answer that shows it. */
  async issue(owner: KeyOwner, options: IssueOptions): Promise<IssuedApiKeyResponse> {
    const key = options.key ?? newSecret();
    const record = await this.keys.create({
      _organizationId: owner.organizationId,
      _environmentId: owner.environmentId,
      _userId: owner.userId,
      name: options.name,
      hash: hashOf(key),
      sealed: this.secrets.seal(key),
      ...(options.expiresAt && { expiresAt: options.expiresAt }),
    });
    return IssuedApiKeyResponse.issued(record.toObject(), key);
  }

  /** Makes sure that exactly this key opens the environment: issued if it is new, revived if it was revoked. */
  async ensure(owner: KeyOwner, key: string, name: string): Promise<void> {
    await this.keys.updateOne(
      { hash: hashOf(key) },
      {
        $set: {
          _organizationId: owner.organizationId,
          _environmentId: owner.environmentId,
          deleted: false,
        },
        $unset: { deletedAt: 1, deletedBy: 1, expiresAt: 1 },
        $setOnInsert: { _userId: owner.userId, name, sealed: this.secrets.seal(key) },
      },
      { upsert: true, ...INCLUDE_DELETED },
    );
  }

  /** The live keys of an environment, oldest first, without the keys themselves. */
  async list(environmentId: string): Promise<ApiKeyResponse[]> {
    const rows = await this.keys.find({ _environmentId: environmentId }).sort({ _id: 1 }).lean().exec();
    return rows.map((row) => ApiKeyResponse.from(row));
  }

  /** The live keys in clear text, as clients of this API expect to read their own back (decisions 2.3). */
  async reveal(environmentId: string): Promise<{ key: string; _userId: string }[]> {
    const rows = await this.keys.find({ _environmentId: environmentId }).sort({ _id: 1 }).lean().exec();
    return rows.map((row) => ({ key: this.secrets.open(row.sealed), _userId: row._userId.toHexString() }));
  }

  /** Revokes a key of the environment. @throws {LastApiKey} when no other would be left */
  async revoke(environmentId: string, id: string, revokedBy: string): Promise<void> {
    const live = await this.keys.find({ _environmentId: environmentId }, { hash: 1 }).lean().exec();
    const target = isObjectId(id) ? live.find((row) => row._id.equals(id)) : undefined;
    if (target === undefined) throw new ApiKeyNotFound(id);
    if (live.length === 1) throw new LastApiKey();
    await this.keys.updateOne({ _id: target._id }, softDeleted(revokedBy, new Date()));
    this.known.delete(target.hash);
  }

  /** Issues a new key in the place of an old one, which stops working at once. */
  async rotate(tenant: TenantContext, id: string): Promise<IssuedApiKeyResponse> {
    const old = isObjectId(id)
      ? await this.keys.findOne({ _id: id, _environmentId: tenant.environmentId }).lean().exec()
      : null;
    if (old === null) throw new ApiKeyNotFound(id);
    const issued = await this.issue(tenant, { name: old.name, ...(old.expiresAt && { expiresAt: old.expiresAt }) });
    await this.revoke(tenant.environmentId, id, tenant.apiKeyId);
    return issued;
  }

  /** True when there is any live key at all. */
  async anyExists(): Promise<boolean> {
    return (await this.keys.exists({})) !== null;
  }

  private async load(hash: string): Promise<KnownKey | undefined> {
    const row = await this.keys.findOne({ hash }).lean().exec();
    if (row === null) return undefined;
    const known: KnownKey = {
      tenant: {
        organizationId: row._organizationId.toHexString(),
        environmentId: row._environmentId.toHexString(),
        userId: row._userId.toHexString(),
        apiKeyId: row._id.toHexString(),
      },
      expiresAt: row.expiresAt,
      lastUsedAt: row.lastUsedAt,
    };
    this.known.set(hash, known);
    return known;
  }

  /** Not awaited and allowed to fail: no request is to be slower, or refused, for the sake of this note. */
  private noteUse(hash: string, known: KnownKey): void {
    const now = new Date();
    if (known.lastUsedAt !== undefined && now.getTime() - known.lastUsedAt.getTime() < LAST_USE_GRAIN_MS) return;
    known.lastUsedAt = now;
    void this.keys
      .updateOne({ hash }, { $set: { lastUsedAt: now } }, { timestamps: false })
      .exec()
      .catch(() => undefined);
  }
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
