import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types } from 'mongoose';
import { isDuplicateKey, ownedBy, type TenantModel } from '#libs/persistence';
import type { TenantContext } from '#libs/common';
import { TopicSubscriber } from './topic.schema.js';

type Environment = Pick<TenantContext, 'environmentId'>;

/** A member of a topic. */
export interface TopicMember {
  /** 24-hex record id. */
  readonly _id: string;
  /** The client's own identifier. */
  readonly subscriberId: string;
}

/** Who is in which topic. */
@Injectable()
export class TopicLinks {
  constructor(@InjectModel(TopicSubscriber.name) private readonly links: TenantModel<TopicSubscriber>) {}

  /** Adds those that are not members yet, with one call of the store. */
  async add(tenant: TenantContext, topicId: Types.ObjectId, members: readonly TopicMember[]): Promise<void> {
    if (members.length === 0) return;
    const { _organizationId, _environmentId } = ownedBy(tenant);
    const writes = members.map(({ _id, subscriberId }) => ({
      updateOne: {
        filter: { _environmentId, _topicId: topicId, externalSubscriberId: subscriberId, deleted: false },
        update: { $setOnInsert: { _organizationId, _subscriberId: _id } },
        upsert: true,
      },
    }));
    try {
      await this.links.bulkWrite(writes, { ordered: false });
    } catch (error) {
      // Somebody else adds the same members at this moment: then they are in, which is all that was asked.
      if (!isOnlyDuplicates(error)) throw error;
    }
  }

  async remove(tenant: Environment, topicId: Types.ObjectId, subscriberIds: readonly string[]): Promise<void> {
    await this.links.deleteMany({
      _environmentId: tenant.environmentId,
      _topicId: topicId,
      externalSubscriberId: { $in: [...subscriberIds] },
    });
  }

  async removeTopic(tenant: Environment, topicId: Types.ObjectId): Promise<void> {
    await this.links.deleteMany({ _environmentId: tenant.environmentId, _topicId: topicId });
  }

  /** Takes a subscriber out of all topics. @param id record id */
  async removeSubscriber(tenant: Environment, id: string): Promise<void> {
    await this.links.deleteMany({ _environmentId: tenant.environmentId, _subscriberId: id });
  }

  async find(tenant: Environment, topicId: Types.ObjectId, subscriberId: string): Promise<TopicSubscriber | null> {
    const filter = { _environmentId: tenant.environmentId, _topicId: topicId, externalSubscriberId: subscriberId };
    return this.links.findOne(filter).lean().exec();
  }

  async hasAny(tenant: Environment, topicId: Types.ObjectId): Promise<boolean> {
    return (await this.links.exists({ _environmentId: tenant.environmentId, _topicId: topicId }).exec()) !== null;
  }

  /** The members in the order of their own identifiers. @param page begins after one of them and has at most so many */
  async list(
    tenant: Environment,
    topicId: Types.ObjectId,
    page: { after?: string | undefined; limit?: number } = {},
  ): Promise<TopicMember[]> {
    const rows = await this.links
      .find(
        {
          _environmentId: tenant.environmentId,
          _topicId: topicId,
          ...(page.after !== undefined && { externalSubscriberId: { $gt: page.after } }),
        },
        { _subscriberId: 1, externalSubscriberId: 1 },
      )
      .sort({ externalSubscriberId: 1 })
      .limit(page.limit ?? 0)
      .lean()
      .exec();
    return rows.map((row) => ({ _id: row._subscriberId.toHexString(), subscriberId: row.externalSubscriberId }));
  }
}

/** True for a bulk write of which every failed part failed because the record was there already. */
function isOnlyDuplicates(error: unknown): boolean {
  const parts = (error as { writeErrors?: unknown }).writeErrors;
  return isDuplicateKey(error) && (!Array.isArray(parts) || parts.every(isDuplicateKey));
}
