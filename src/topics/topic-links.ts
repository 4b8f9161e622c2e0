import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types } from 'mongoose';
import { OnDomainEvent, type TenantContext } from '#libs/common';
import { hasOnlyDuplicates, ownedBy, type TenantModel } from '#libs/persistence';
import { SubscriberDeleted } from '../subscribers/index.js';
import { TopicSubscriber } from './topic.schema.js';

type Environment = Pick<TenantContext, 'environmentId'>;

export interface TopicMember {
  readonly _id: string;
  readonly subscriberId: string;
}

@Injectable()
export class TopicLinks {
  constructor(@InjectModel(TopicSubscriber.name) private readonly links: TenantModel<TopicSubscriber>) {}

  /** Adds the subscribers that are not members yet, with one call of the store. */
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
      // A concurrent request added the same members, which is the requested state.
      if (!hasOnlyDuplicates(error)) throw error;
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

  @OnDomainEvent(SubscriberDeleted)
  async onSubscriberDeleted({ tenant, id }: SubscriberDeleted): Promise<void> {
    await this.links.deleteMany({ _environmentId: tenant.environmentId, _subscriberId: id });
  }

  async find(tenant: Environment, topicId: Types.ObjectId, subscriberId: string): Promise<TopicSubscriber | null> {
    const filter = { _environmentId: tenant.environmentId, _topicId: topicId, externalSubscriberId: subscriberId };
    return this.links.findOne(filter).lean().exec();
  }

  async hasAny(tenant: Environment, topicId: Types.ObjectId): Promise<boolean> {
    return (await this.links.exists({ _environmentId: tenant.environmentId, _topicId: topicId }).exec()) !== null;
  }

  /**
   * The members in the order of their own identifiers.
   * @param page starts after `after` and has at most `limit` members
   */
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
