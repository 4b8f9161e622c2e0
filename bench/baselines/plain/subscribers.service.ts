import { Injectable, NotFoundException } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { CreateSubscriberDto, PageQuery } from './subscriber.dto.js';
import { Subscriber } from './subscriber.schema.js';

@Injectable()
export class SubscribersService {
  constructor(@InjectModel(Subscriber.name) private readonly subscribers: Model<Subscriber>) {}

  create(dto: CreateSubscriberDto): Promise<Subscriber> {
    return this.subscribers.create(dto);
  }

  findAll({ page, limit }: PageQuery): Promise<Subscriber[]> {
    return this.subscribers
      .find()
      .sort({ createdAt: -1, _id: -1 })
      .skip(page * limit)
      .limit(limit)
      .lean()
      .exec();
  }

  async findOne(subscriberId: string): Promise<Subscriber> {
    const subscriber = await this.subscribers.findOne({ subscriberId }).lean().exec();
    if (subscriber === null) throw new NotFoundException(`There is no subscriber '${subscriberId}'.`);
    return subscriber;
  }
}
