import { Injectable } from '@nestjs/common';
import { isChannel } from '#libs/channels';
import { DETAIL } from '../../execution-details/index.js';
import { type SentMessage, SentMessages } from '../../messages/store/index.js';
import { MessageSent } from '../records/delivery.events.js';
import type { NotificationRecord } from '../records/notification.js';
import type { TriggerEventRecord } from '../records/trigger-event.js';
import { type Run, RunClock } from './run.js';
import type { StepTask } from './step-handler.js';
import { detailOf } from './step-recorder.js';
import { completeSent, type StepOutcome } from './transitions.js';

/**
 * Messages of a worker that died after it had stored them and before it announced them and wrote the state of their run. For a
 * run that ends, this class completes their steps; a run that is carried on completes them when it comes to them.
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

  /** Notes in runs that are carried on what is in the store of steps without an outcome. */
  async recall(runs: readonly Run[]): Promise<void> {
    const records = active(runs.map(({ record }) => record));
    const found = new Map(unwrittenOf(records, await this.sent.ofNotifications(records)));
    for (const run of runs) {
      const open = run.record.steps.filter(({ finishedAt }) => finishedAt === undefined);
      const own = found.get(run.record)?.filter(({ _jobId }) => open.some(({ _id }) => _id.equals(_jobId)));
      if (own !== undefined) run.delivered = own;
    }
  }

  /**
   * Of a step that was over before a worker died: its message is in the feed, or a later step has delivered. Conditions and servers are not
   * asked again, because they may say something else by now. Steps that call providers know of each of their addresses.
   */
  outcomeOf({ run, state, recorder }: StepTask): StepOutcome | undefined {
    const { delivered = [], record } = run;
    const own = delivered.filter(({ _jobId }) => _jobId.equals(state._id));
    if (own.length === 0) return this.hasGoneOn(run) && !isChannel(state.type) ? { kind: 'completed' } : undefined;
    // A message for others than it began with is rendered again.
    if (state.type !== 'in_app' || record.digestForOthers === true) return undefined;
    for (const { _id: messageId, providerId } of own) {
      recorder.note(DETAIL.messageSent, { messageId, ...(providerId !== undefined && { providerId }) });
    }
    recorder.add({ events: eventsOf(record, own) });
    const [{ providerId } = {}] = own;
    return { kind: 'completed', ...(providerId !== undefined && { progress: { providerId } }) };
  }

  /** A step after the current one has delivered its message. */
  hasGoneOn({ delivered = [], record }: Run): boolean {
    const later = record.steps.slice(record.current + 1);
    return delivered.some(({ _jobId }) => later.some(({ _id }) => _id.equals(_jobId)));
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
