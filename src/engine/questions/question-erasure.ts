import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Clock, OnDomainEvent } from '#libs/common';
import { type TenantModel, toObjectId } from '#libs/persistence';
import {
  type ErasedPerson,
  type ErasureProgress,
  type HoldsPersonalData,
  SubscriberDeleted,
} from '../../audience/subscribers/index.js';
import { Question } from './question.schema.js';

/** Takes a person out of questions. An answer stays, with its record id and its signature: it is what was decided. */
@Injectable()
export class QuestionErasure implements HoldsPersonalData {
  constructor(
    @InjectModel(Question.name) private readonly questions: TenantModel<Question>,
    private readonly clock: Clock,
  ) {}

  async *erase({ environmentId, id }: ErasedPerson): AsyncGenerator<ErasureProgress> {
    await this.remove(environmentId, id.toHexString());
    yield 'removed';
  }

  @OnDomainEvent(SubscriberDeleted)
  subscriberDeleted({ tenant, id }: SubscriberDeleted): Promise<void> {
    return this.remove(tenant.environmentId, id);
  }

  private async remove(environmentId: string, id: string): Promise<void> {
    const { collection } = this.questions;
    const _environmentId = toObjectId(environmentId);
    const _id = toObjectId(id);
    const now = this.clock.now();
    const own = { _environmentId, 'people._id': _id };
    const isFree = { status: 'open', lease: { $exists: false } };
    const isDecider = { 'outcome.by.id': id };
    const pull = async (where: object, more: { $set?: object; $unset?: object } = {}): Promise<void> => {
      const $unset = { 'answers.$[own].subscriberId': 1, 'answers.$[own].account': 1, ...more.$unset };
      const update = { ...more, $pull: { people: { _id } }, $unset, $inc: { __v: 1 } };
      await collection.updateMany({ ...own, ...where }, update as object, {
        arrayFilters: [{ 'own._subscriberId': _id }],
      });
    };
    const ofAgents = { _environmentId, 'request.recipients._id': _id };
    await collection.updateMany(ofAgents, { $pull: { 'request.recipients': { _id } } } as object);
    // Each is one write, and a question may pass from one kind to another between them.
    while ((await collection.countDocuments(own, { limit: 1 })) > 0) {
      // Perhaps nobody is left who could decide.
      await pull(isFree, { $set: { wakeAt: now, dueSince: now } });
      // Whoever holds it reads it again, because its version is another one.
      await pull({ status: 'open', lease: { $exists: true } });
      await pull({ status: { $ne: 'open' }, ...isDecider }, { $unset: { 'outcome.by.subscriberId': 1 } });
      await pull({ status: { $ne: 'open' }, 'outcome.by.id': { $ne: id } });
    }
  }
}
