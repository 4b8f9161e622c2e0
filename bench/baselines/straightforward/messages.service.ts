import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import type { FeedQuery, MarkMessagesDto, UnseenQuery } from './message.dto.js';
import { Page } from './page.js';
import { Message } from './schemas/message.schema.js';
import type { Subscriber } from './schemas/subscriber.schema.js';
import { Workflow } from './schemas/workflow.schema.js';
import { SubscribersService } from './subscribers.service.js';
import type { Owner } from './tenant.decorator.js';

export type FeedMessage = Message & {
  subscriber: Subscriber;
  template: Pick<Workflow, 'name' | 'tags' | 'critical'> | undefined;
};

@Injectable()
export class MessagesService {
  constructor(
    @InjectModel(Message.name) private readonly messages: Model<Message>,
    @InjectModel(Workflow.name) private readonly workflows: Model<Workflow>,
    private readonly subscribers: SubscribersService,
  ) {}

  async feed(owner: Owner, subscriberId: string, query: FeedQuery): Promise<Page<FeedMessage>> {
    const { page, limit, seen, read } = query;
    const subscriber = await this.subscribers.get(owner, subscriberId);
    const filter = {
      ...inboxOf(owner, subscriber),
      ...(seen !== undefined && { seen }),
      ...(read !== undefined && { read }),
    };
    const [rows, totalCount] = await Promise.all([
      this.messages
        .find(filter)
        .sort({ createdAt: -1, _id: -1 })
        .skip(page * limit)
        .limit(limit)
        .lean()
        .exec(),
      this.messages.countDocuments(filter).exec(),
    ]);
    const workflows = await this.workflows
      .find({ _id: { $in: rows.map(({ _templateId }) => _templateId) } }, { name: 1, tags: 1, critical: 1 })
      .lean()
      .exec();
    const data = rows.map((row) => ({
      ...row,
      subscriber,
      template: workflows.find(({ _id }) => _id.equals(row._templateId)),
    }));
    return new Page(data, page, limit, (page + 1) * limit < totalCount, totalCount);
  }

  async countUnseen(owner: Owner, subscriberId: string, { limit }: UnseenQuery): Promise<{ count: number }> {
    const subscriber = await this.subscribers.get(owner, subscriberId);
    const filter = { ...inboxOf(owner, subscriber), seen: false };
    return { count: await this.messages.countDocuments(filter, { limit }).exec() };
  }

  async mark(owner: Owner, subscriberId: string, { messageId, markAs }: MarkMessagesDto): Promise<Message[]> {
    const subscriber = await this.subscribers.get(owner, subscriberId);
    const own = {
      _environmentId: owner._environmentId,
      _subscriberId: subscriber._id,
      _id: { $in: messageId.map((id) => new Types.ObjectId(id)) },
      deleted: false,
    };
    const now = new Date();
    const isRead = markAs === 'read';
    const change = isRead ? { seen: true, read: true, lastSeenDate: now, lastReadDate: now } : { read: false };
    await this.messages.updateMany({ ...own, read: !isRead }, { $set: change }).exec();
    return this.messages.find(own).sort({ createdAt: -1, _id: -1 }).lean().exec();
  }
}

function inboxOf(owner: Owner, subscriber: Subscriber) {
  return {
    _environmentId: owner._environmentId,
    _subscriberId: subscriber._id,
    channel: 'in_app',
    deleted: false,
  } as const;
}
