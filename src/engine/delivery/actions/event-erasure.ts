import { Injectable } from '@nestjs/common';
import { toObjectId } from '#libs/persistence';
import type { ErasedPerson, ErasureProgress, HoldsPersonalData } from '../../../audience/subscribers/index.js';
import { Departures } from '../expansion/departures.js';
import { AttachmentStore } from '../records/attachments.js';
import { SignalStore } from '../records/signals.js';
import { type TriggerEventRecord, TriggerEventStore } from '../records/trigger-event.js';
import { RunLoader } from '../run/run-loader.js';

/** Events of one look: for so few, the store is busy for a moment only. */
const WINDOW = 500;

/**
 * Removes the signals about deleted subscribers, and takes them out of the events that named them. What an event brought for nobody else is removed as well. The
 * events of an environment are read in portions, because an index of all recipients would cost every trigger.
 */
@Injectable()
export class EventErasure implements HoldsPersonalData {
  constructor(
    private readonly events: TriggerEventStore,
    private readonly attachments: AttachmentStore,
    private readonly loader: RunLoader,
    private readonly signals: SignalStore,
    private readonly departures: Departures,
  ) {}

  async *erase(person: ErasedPerson): AsyncGenerator<ErasureProgress> {
    const { environmentId, subscriberId } = person;
    if (subscriberId === undefined) return;
    if (!person.isSettled) await this.departures.refuseEvents(person, subscriberId);
    const _environmentId = toObjectId(environmentId);
    await this.signals.removeOf(_environmentId, subscriberId);
    const names = {
      $or: ['recipients.list.subscriberId', 'recipients.without.subscriberIds', 'actor.subscriberId'].map((path) => ({
        [path]: subscriberId,
      })),
    };
    let after = '';
    for (;;) {
      const [edge] = await this.events.collection
        .find({ _environmentId, transactionId: { $gt: after } })
        .sort({ transactionId: 1 })
        .skip(WINDOW - 1)
        .limit(1)
        .project<Pick<TriggerEventRecord, 'transactionId'>>({ transactionId: 1 })
        .toArray();
      const range = { $gt: after, ...(edge && { $lte: edge.transactionId }) };
      const named = await this.events.collection.find({ _environmentId, transactionId: range, ...names }).toArray();
      const found: TriggerEventRecord[] = [];
      for (const event of named) if (await this.departures.isFor(event, person, subscriberId)) found.push(event);
      // Before their recipients are gone: a repetition would not find the events again.
      const alone = found.filter((event) => event.status !== 'expanding' && isForAlone(event, subscriberId));
      await this.signals.removeOfEvents(
        _environmentId,
        alone.map(({ transactionId }) => transactionId),
      );
      let isHeld = false;
      for (const event of found) {
        if (event.status === 'expanding') isHeld = true;
        else await this.takeOut(event, subscriberId);
      }
      yield isHeld ? 'held' : 'removed';
      if (edge === undefined) return;
      after = edge.transactionId;
    }
  }

  private async takeOut(event: TriggerEventRecord, subscriberId: string): Promise<void> {
    this.loader.forget(event);
    const key = { _id: event._id, _environmentId: event._environmentId, transactionId: event.transactionId };
    const isActor = event.actor?.subscriberId === subscriberId;
    if (isForAlone(event, subscriberId)) {
      await this.attachments.remove(event);
      await this.events.collection.updateOne(key, {
        $set: { 'recipients.list': [], payload: {}, overrides: {}, ...(event.test && { test: {} }) },
        $unset: { actor: 1, attachments: 1 },
      });
      return;
    }
    await this.events.collection.updateOne(key, {
      $pull: {
        'recipients.list': { subscriberId },
        ...(event.recipients.without && { 'recipients.without.$[].subscriberIds': subscriberId }),
      },
      ...(isActor && { $unset: { actor: 1 } }),
    });
  }
}

function isForAlone({ recipients: { list, topics, everybody } }: TriggerEventRecord, subscriberId: string): boolean {
  return everybody !== true && topics.length === 0 && list.every((entry) => entry.subscriberId === subscriberId);
}
