import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type mongo, Types } from 'mongoose';
import { OnDomainEvent, type TenantContext } from '#libs/common';
import { hasOnlyDuplicates, ownedBy, type TenantModel, toObjectId } from '#libs/persistence';
import {
  type ErasedPerson,
  type ErasureProgress,
  type HoldsPersonalData,
  removeAll,
  SubscriberDeleted,
} from '../subscribers/index.js';
import { TopicSubscriber } from './topic.schema.js';

type Environment = Pick<TenantContext, 'environmentId'>;

export interface TopicMember {
  readonly _id: string;
  readonly subscriberId: string;
}

@Injectable()
export class TopicLinks implements HoldsPersonalData {
  constructor(@InjectModel(TopicSubscriber.name) private readonly links: TenantModel<TopicSubscriber>) {}

  /** One call of the store; current members are skipped. */
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
      // A concurrent request added the same members: that is the requested state.
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

  erase({ environmentId, id }: ErasedPerson): AsyncIterable<ErasureProgress> {
    const own = { _environmentId: toObjectId(environmentId), _subscriberId: id };
    return removeAll(this.links.collection as unknown as mongo.Collection<TopicSubscriber>, own);
  }

  find(tenant: Environment, topicId: Types.ObjectId, subscriberId: string): Promise<TopicSubscriber | undefined> {
    return this.links.one(tenant, { _topicId: topicId, externalSubscriberId: subscriberId });
  }

  async hasAny(tenant: Environment, topicId: Types.ObjectId): Promise<boolean> {
    return (await this.links.one(tenant, { _topicId: topicId }, { fields: ['_id'] })) !== undefined;
  }

  async count({ environmentId }: Environment, topicId: Types.ObjectId, limit: number): Promise<number> {
    return this.links.countDocuments({ _environmentId: environmentId, _topicId: topicId }, { limit }).exec();
  }

  /** Sorted by external id. @param page starts after `after`, at most `limit` members */
  async list(
    tenant: Environment,
    topicId: Types.ObjectId,
    { after, limit }: { after?: string | undefined; limit?: number } = {},
  ): Promise<TopicMember[]> {
    const rows = await this.links.list(
      tenant,
      { _topicId: topicId, ...(after !== undefined && { externalSubscriberId: { $gt: after } }) },
      {
        fields: ['_subscriberId', 'externalSubscriberId'],
        sort: { externalSubscriberId: 1 },
        ...(limit !== undefined && { limit }),
      },
    );
    return rows.map((row) => ({ _id: row._subscriberId.toHexString(), subscriberId: row.externalSubscriberId }));
  }
}
