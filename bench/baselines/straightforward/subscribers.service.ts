import { Injectable, NotFoundException } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Page, type PageQuery } from './page.js';
import { Subscriber } from './schemas/subscriber.schema.js';
import type { CreateSubscriberDto } from './subscriber.dto.js';
import type { Owner } from './tenant.decorator.js';

@Injectable()
export class SubscribersService {
  constructor(@InjectModel(Subscriber.name) private readonly subscribers: Model<Subscriber>) {}

  /** Creates or updates by `subscriberId`, as Herald does. */
  create(owner: Owner, { subscriberId, channels, ...profile }: CreateSubscriberDto): Promise<Subscriber> {
    const { email, firstName, lastName } = profile;
    const search = {
      email: email?.toLowerCase(),
      firstName: firstName?.toLowerCase(),
      lastName: lastName?.toLowerCase(),
    };
    return this.subscribers
      .findOneAndUpdate(
        { ...owner, subscriberId },
        { $set: { ...profile, search, deleted: false, ...(channels && { channels }) } },
        { upsert: true, returnDocument: 'after', setDefaultsOnInsert: true },
      )
      .lean()
      .orFail()
      .exec();
  }

  async list(owner: Owner, { page, limit }: PageQuery): Promise<Page<Subscriber>> {
    const rows = await this.subscribers
      .find({ _environmentId: owner._environmentId, deleted: false })
      .sort({ createdAt: -1, _id: -1 })
      .skip(page * limit)
      .limit(limit + 1)
      .lean()
      .exec();
    return new Page(rows.slice(0, limit), page, limit, rows.length > limit);
  }

  async get(owner: Owner, subscriberId: string): Promise<Subscriber> {
    const row = await this.subscribers
      .findOne({ _environmentId: owner._environmentId, subscriberId, deleted: false })
      .lean()
      .exec();
    if (row === null) throw new NotFoundException(`There is no subscriber '${subscriberId}'.`);
    return row;
  }
}
