import { Injectable } from '@nestjs/common';
import { DETAIL } from '../../execution-details/index.js';
import { type SentMessage, SentMessages } from '../../messages/index.js';
import { MessageSent } from '../records/delivery.events.js';
import type { NotificationRecord } from '../records/notification.js';
import type { TriggerEventRecord } from '../records/trigger-event.js';
import { type Run, RunClock } from './run.js';
import { detailOf } from './step-recorder.js';
import { completeSent } from './transitions.js';

/**
 * Messages of a worker that died after it had stored them and before it announced them and wrote the state of their run. A
 * run that is carried on stores and announces them again. For a run that ends instead, this class does.
 */
@Injectable()
export class UnwrittenSends {
  constructor(
    private readonly sent: SentMessages,
    private readonly clock: RunClock,
  ) {}

  /** Completes the steps of runs whose messages were sent, and adds to the effects of the runs what follows from that. */
  async recover(runs: readonly Run[]): Promise<void> {
    this.complete(runs, await this.sent.ofNotifications(active(runs.map(({ record }) => record))));
  }

  /** What may be unwritten of the runs of an event, in batches. */
  ofEvent(event: TriggerEventRecord, batch: number): AsyncGenerator<SentMessage[]> {
    return this.sent.ofTransaction(event, batch);
  }

  /** The same as `recover`, with messages that are read already. */
  complete(runs: readonly Run[], messages: readonly SentMessage[]): void {
    const byId = new Map(runs.map((run) => [run.record._id.toHexString(), run]));
    const context = this.clock.context();
    for (const [record, own] of unwrittenOf(
      runs.map(({ record }) => record),
      messages,
    )) {
      const steps = completeSent(record, new Set(own.map(({ _jobId }) => _jobId.toHexString())), context);
      const details = own.flatMap(({ _id, _jobId, providerId }) => {
        const step = steps.find((one) => one._id.equals(_jobId));
        const more = { messageId: _id, ...(providerId !== undefined && { providerId }) };
        return step === undefined ? [] : [detailOf(step, DETAIL.messageSent, context.now, more)];
      });
      byId.get(record._id.toHexString())?.effects.add({ details, events: eventsOf(record, own) });
    }
  }

  /** The events of messages that were sent by steps which have no outcome yet. */
  async eventsOf(records: readonly NotificationRecord[]): Promise<MessageSent[]> {
    const messages = await this.sent.ofNotifications(active(records));
    return unwrittenOf(records, messages).flatMap(([record, own]) => eventsOf(record, own));
  }
}

function active(records: readonly NotificationRecord[]): NotificationRecord[] {
  return records.filter(({ status }) => status === 'active');
}

/** The messages of each run whose steps have no outcome yet. */
function unwrittenOf(
  records: readonly NotificationRecord[],
  messages: readonly SentMessage[],
): [NotificationRecord, SentMessage[]][] {
  const byRun = new Map<string, SentMessage[]>();
  for (const message of messages) {
    const id = message._notificationId.toHexString();
    byRun.set(id, [...(byRun.get(id) ?? []), message]);
  }
  return active(records).flatMap((record): [NotificationRecord, SentMessage[]][] => {
    const ahead = new Set(record.steps.slice(record.current).map(({ _id }) => _id.toHexString()));
    const own = (byRun.get(record._id.toHexString()) ?? []).filter(({ _jobId }) => ahead.has(_jobId.toHexString()));
    return own.length === 0 ? [] : [[record, own]];
  });
}

function eventsOf(record: NotificationRecord, messages: readonly SentMessage[]): MessageSent[] {
  const owner = {
    organizationId: record._organizationId.toHexString(),
    environmentId: record._environmentId.toHexString(),
  };
  const origin = {
    subscriberRecordId: record._subscriberId.toHexString(),
    notificationId: record._id.toHexString(),
    workflowId: record._templateId.toHexString(),
    transactionId: record.transactionId,
  };
  return messages.map(
    ({ _id, channel }) => new MessageSent(owner, _id.toHexString(), channel, record.subscriberId, origin),
  );
}
