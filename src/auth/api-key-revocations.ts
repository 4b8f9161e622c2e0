import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { isDuplicateKey } from '#libs/persistence';
import { ApiKey } from './api-key.schema.js';
import { ApiKeyRevocation } from './api-key-revocation.schema.js';
import { LastApiKey } from './auth.errors.js';
import { isExpired, rightsOf } from './key-rights.js';

/**
 * Keeps a live key with the scope admin in every environment, whoever revokes what at the same moment. Whoever revokes
 * such a key first reserves that in one record of the environment, written only over the state that was looked at.
 * A key that somebody else has reserved counts as gone, so of two keys that revoke each other one is refused.
 */
@Injectable()
export class ApiKeyRevocations {
  constructor(
    @InjectModel(ApiKeyRevocation.name) private readonly revocations: Model<ApiKeyRevocation>,
    @InjectModel(ApiKey.name) private readonly keys: Model<ApiKey>,
  ) {}

  /** To be called before a key is revoked. @throws {LastApiKey} when no live key with the scope admin would be left */
  async reserve(target: ApiKey): Promise<void> {
    if (!isLiveAdmin(target)) return;
    // Ends: an attempt fails only where another one has succeeded meanwhile.
    while (!(await this.attempt(target)));
  }

  /** To be called when the key is revoked. Allowed to fail: the reservation of a key that is gone does no harm. */
  async settle({ _environmentId, _id }: ApiKey): Promise<void> {
    await this.revocations
      .updateOne({ _environmentId }, { $pull: { reserved: _id } })
      .exec()
      .catch(() => undefined);
  }

  private async attempt({ _id, _environmentId }: ApiKey): Promise<boolean> {
    const state = await this.revocations.findOne({ _environmentId }).lean().exec();
    // Read after the reservations: a reservation that is settled by then is a key that is not found any more.
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
    try {
      await this.revocations.create({ _environmentId, revision: 1, reserved: [_id] });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
}

function isLiveAdmin(key: Pick<ApiKey, 'scopes' | 'expiresAt'>): boolean {
  const rights = rightsOf(key);
  return rights.scopes.includes('admin') && !isExpired(rights, new Date());
}
