import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type TenantModel, toObjectId } from '#libs/persistence';
import type { ErasedPerson, ErasureProgress, HoldsPersonalData } from './personal-data.js';
import { Subscriber } from './subscriber.schema.js';

@Injectable()
export class SubscriberRecords implements HoldsPersonalData {
  constructor(@InjectModel(Subscriber.name) private readonly subscribers: TenantModel<Subscriber>) {}

  async *erase({ environmentId, id }: ErasedPerson): AsyncGenerator<ErasureProgress> {
    await this.subscribers.collection.deleteOne({ _id: id, _environmentId: toObjectId(environmentId) });
    yield 'removed';
  }
}
