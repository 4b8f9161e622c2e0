import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { onDuplicateKey, untilWritten } from '#libs/persistence';
import { ApiKey, ApiKeyRevocation } from './api-key.schema.js';
import { LastApiKey } from './auth.errors.js';
import { isExpired, rightsOf } from './key-rights.js';

/**
 * Keeps a live admin key in every environment under concurrent revocations. Revoking one first reserves it in the
 * environment's record, under an optimistic lock. A reserved key counts as revoked, so of two keys that revoke each
 * other one is refused.
 */
@Injectable()
export class ApiKeyRevocations {
  constructor(
    @InjectModel(ApiKeyRevocation.name) private readonly revocations: Model<ApiKeyRevocation>,
    @InjectModel(ApiKey.name) private readonly keys: Model<ApiKey>,
  ) {}

  /** Call before revoking a key. @throws {LastApiKey} when no live admin key would remain */
  async reserve(target: ApiKey): Promise<void> {
    if (!isLiveAdmin(target)) return;
    await untilWritten(async () => (await this.attempt(target)) || undefined);
  }

  /** Call after revoking the key. May fail: the reservation of a revoked key does no harm. */
  async release({ _environmentId, _id }: ApiKey): Promise<void> {
    await this.revocations
      .updateOne({ _environmentId }, { $pull: { reserved: _id } })
      .exec()
      .catch(() => undefined);
  }

  private async attempt({ _id, _environmentId }: ApiKey): Promise<boolean> {
    const state = await this.revocations.findOne({ _environmentId }).lean().exec();
    // Read after the reservations: keys with a settled reservation are no longer found.
    const keys = await this.keys.find({ _environmentId }, { scopes: 1, expiresAt: 1 }).lean().exec();
    const isGone = (id: ApiKey['_id']): boolean => [_id, ...(state?.reserved ?? [])].some((gone) => gone.equals(id));
    if (!keys.some((key) => isLiveAdmin(key) && !isGone(key._id))) throw new LastApiKey();
    if (state === null) return this.begin({ _id, _environmentId });
    const { matchedCount } = await this.revocations.updateOne(
      { _environmentId, revision: state.revision },
      { $inc: { revision: 1 }, $addToSet: { reserved: _id } },
    );
    return matchedCount === 1;
  }

  private async begin({ _id, _environmentId }: Pick<ApiKey, '_id' | '_environmentId'>): Promise<boolean> {
    return this.revocations.create({ _environmentId, revision: 1, reserved: [_id] }).then(
      () => true,
      onDuplicateKey(() => false),
    );
  }
}

function isLiveAdmin(key: Pick<ApiKey, 'scopes' | 'expiresAt'>): boolean {
  const rights = rightsOf(key);
  return rights.scopes.includes('admin') && !isExpired(rights, new Date());
}
