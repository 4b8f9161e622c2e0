import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { NAME_LENGTH, Page, ValidationFailed } from '#libs/http-kit';
import { OLDEST_FIRST, onDuplicateKey, ownedBy, softDeleted, type TenantModel } from '#libs/persistence';
import type { TenantContext } from '#libs/common';
import { SubscribersService } from '../subscribers/index.js';
import type { CreateTopicDto, ListTopicsQuery } from './topic.dto.js';
import {
  type AddSubscribersResponse,
  showTopic,
  showTopicSubscriber,
  type TopicResponse,
  type TopicSubscriberResponse,
} from './topic.response.js';
import { nameOf } from './topic-directory.js';
import { TopicLinks, type TopicMember } from './topic-links.js';
import { Topic } from './topic.schema.js';
import { TopicAlreadyExists, TopicHasSubscribers, TopicNotFound, TopicSubscriberNotFound } from './topics.errors.js';

/** Members per topic in a list, so that pages stay fast. */
const MAX_LISTED_MEMBERS = 1_000;

const MAX_COUNTED_MEMBERS = 10_000;

export interface MemberBatch {
  readonly topicKey: string;
  readonly members: readonly TopicMember[];
  /** Resumes after this batch, also in another process. */
  readonly checkpoint: string;
}

@Injectable()
export class TopicsService {
  constructor(
    @InjectModel(Topic.name) private readonly topics: TenantModel<Topic>,
    private readonly links: TopicLinks,
    private readonly subscribers: SubscribersService,
  ) {}

  async create(tenant: TenantContext, { key, name }: CreateTopicDto): Promise<TopicResponse> {
    const topic = await this.topics.create({ ...ownedBy(tenant), key, name }).catch(
      onDuplicateKey(() => {
        throw new TopicAlreadyExists(key);
      }),
    );
    return showTopic(topic.toObject(), []);
  }

  async list(tenant: TenantContext, query: ListTopicsQuery): Promise<Page<TopicResponse>> {
    const { page, limit, pageSize = limit, key } = query;
    const where = typeof key === 'string' ? { key } : {};
    const [{ rows, hasMore }, totalCount] = await Promise.all([
      this.topics.page(tenant, where, { page, limit: pageSize, sort: OLDEST_FIRST }),
      this.topics.count(tenant, where),
    ]);
    const data = await Promise.all(rows.map((row) => this.present(tenant, row, MAX_LISTED_MEMBERS)));
    return new Page(data, page, pageSize, hasMore, totalCount);
  }

  async get(tenant: TenantContext, key: string): Promise<TopicResponse> {
    return this.present(tenant, await this.mustFind(tenant, key));
  }

  async rename(tenant: TenantContext, key: string, name: string): Promise<TopicResponse> {
    const row = await this.topics
      .findOneAndUpdate({ _environmentId: tenant.environmentId, key }, { $set: { name } }, { returnDocument: 'after' })
      .lean()
      .exec();
    if (row === null) throw new TopicNotFound(key);
    return this.present(tenant, row);
  }

  /** @param withMembers otherwise a topic with subscribers is refused */
  async remove(tenant: TenantContext, key: string, withMembers = false): Promise<void> {
    const { _id } = await this.mustFind(tenant, key);
    if (!withMembers && (await this.links.hasAny(tenant, _id))) throw new TopicHasSubscribers(key);
    const { matchedCount } = await this.topics.updateOne(
      { _environmentId: tenant.environmentId, _id },
      softDeleted(tenant.apiKeyId, new Date()),
    );
    if (matchedCount === 0) throw new TopicNotFound(key);
    await this.links.removeTopic(tenant, _id); // members added meanwhile
  }

  /** Creates a missing topic. */
  async addSubscribers(tenant: TenantContext, key: string, ids: readonly string[]): Promise<AddSubscribersResponse> {
    const wanted = [...new Set(ids)];
    const topic = await this.getOrCreate(tenant, key);
    const found = await this.subscribers.findByExternalIds(tenant, wanted);
    await this.links.add(tenant, topic._id, [...found.values()]);
    const notFound = wanted.filter((id) => !found.has(id));
    return {
      succeeded: wanted.filter((id) => found.has(id)),
      ...(notFound.length > 0 && { failed: { notFound } }),
    };
  }

  async removeSubscribers(tenant: TenantContext, key: string, ids: readonly string[]): Promise<void> {
    const topic = await this.find(tenant, key);
    if (topic !== undefined) await this.links.remove(tenant, topic._id, ids);
  }

  async getSubscriber(tenant: TenantContext, key: string, subscriberId: string): Promise<TopicSubscriberResponse> {
    const topic = await this.mustFind(tenant, key);
    const link = await this.links.find(tenant, topic._id, subscriberId);
    if (link === undefined) throw new TopicSubscriberNotFound(key, subscriberId);
    return showTopicSubscriber(link, key);
  }

  async findExistingKeys(tenant: TenantContext, keys: readonly string[]): Promise<Set<string>> {
    const rows = await this.topics.list(tenant, { key: { $in: [...new Set(keys)] } }, { fields: ['key'] });
    return new Set(rows.map(({ key }) => key));
  }

  /** Keyed by topic; counts at most {@link MAX_COUNTED_MEMBERS} of each. */
  async countMembers(tenant: TenantContext, keys: readonly string[]): Promise<Map<string, number>> {
    if (keys.length === 0) return new Map();
    const rows = await this.topics.list(tenant, { key: { $in: [...new Set(keys)] } }, { fields: ['_id', 'key'] });
    const counts = rows.map(
      async ({ _id, key }) => [key, await this.links.count(tenant, _id, MAX_COUNTED_MEMBERS)] as const,
    );
    return new Map(await Promise.all(counts));
  }

  /**
   * One topic after the other, one indexed query per batch; a member of several topics is returned several times.
   * @param from.after checkpoint of the last processed batch
   * @param from.batch maximum members per batch
   */
  async *streamMembers(
    tenant: TenantContext,
    topicKeys: readonly string[],
    from: { readonly after?: string | undefined; readonly batch: number },
  ): AsyncGenerator<MemberBatch> {
    const where = { key: { $in: [...new Set(topicKeys)] } };
    const topics = await this.topics.list(tenant, where, { fields: ['_id', 'key'], sort: { _id: 1 } });
    const start = readCheckpoint(from.after);
    for (const { _id, key: topicKey } of topics) {
      const topicId = _id.toHexString();
      if (start !== undefined && topicId < start.topicId) continue;
      let after = start?.topicId === topicId ? start.subscriberId : undefined;
      for (;;) {
        const members = await this.links.list(tenant, _id, { after, limit: from.batch });
        after = members.at(-1)?.subscriberId;
        if (after === undefined) break;
        yield { topicKey, members, checkpoint: `${topicId}:${after}` };
        if (members.length < from.batch) break;
      }
    }
  }

  private async present(tenant: TenantContext, row: Topic, limit?: number): Promise<TopicResponse> {
    const members = await this.links.list(tenant, row._id, limit === undefined ? {} : { limit });
    return showTopic(
      row,
      members.map(({ subscriberId }) => subscriberId),
    );
  }

  find(tenant: TenantContext, key: string): Promise<Topic | undefined> {
    return this.topics.one(tenant, { key });
  }

  async mustFind(tenant: TenantContext, key: string): Promise<Topic> {
    const row = await this.find(tenant, key);
    if (row === undefined) throw new TopicNotFound(key);
    return row;
  }

  /** @throws {ValidationFailed} for a key that is too long */
  async getOrCreate(tenant: TenantContext, key: string, name?: string | null): Promise<Topic> {
    if (key.length > NAME_LENGTH) {
      throw new ValidationFailed([`topicKey must be shorter than or equal to ${NAME_LENGTH} characters`]);
    }
    const existing = await this.find(tenant, key);
    if (existing !== undefined) return existing;
    return this.topics.create({ ...ownedBy(tenant), key, name: name ?? nameOf(key) }).then(
      (topic) => topic.toObject(),
      onDuplicateKey(() => this.mustFind(tenant, key)),
    );
  }
}

function readCheckpoint(text: string | undefined): { topicId: string; subscriberId: string } | undefined {
  if (text === undefined) return undefined;
  const colon = text.indexOf(':');
  return { topicId: text.slice(0, colon), subscriberId: text.slice(colon + 1) };
}
