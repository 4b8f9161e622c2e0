import { Injectable } from '@nestjs/common';
import { toObjectId } from '#libs/persistence';
import { type ResolvedSubscriber, SubscribersService } from '../../../audience/subscribers/index.js';
import { type NotificationKey, NotificationStore } from '../records/notification.js';
import { type Checkpoint, type RecipientEntry, START, type TriggerEventRecord } from '../records/trigger-event.js';
import { notificationIdFor, tenantOf } from '../run/run.js';
import { isOnlyNamed } from '../records/descriptions.js';
import { PAGE, sourceAfter } from './group-pages.js';
import { RecipientPages } from './recipient-pages.js';

/** Recipients of whom an event has no notification. Creates and changes nobody. */
@Injectable()
export class UnreachedRecipients {
  constructor(
    private readonly pages: RecipientPages,
    private readonly subscribers: SubscribersService,
    private readonly notifications: NotificationStore,
  ) {}

  /** Whether an expansion that was stopped had somebody left. */
  async has(event: TriggerEventRecord): Promise<boolean> {
    for (const entries of listedFrom(event)) if (await this.hasListed(event, entries)) return true;
    let at: Checkpoint | undefined = membersFrom(event);
    while (at !== undefined) {
      const { recipients, next } = await this.pages.read(event, at);
      if (await this.hasSome(event, recipients)) return true;
      at = next;
    }
    return false;
  }

  /** Those behind the checkpoint that exist, page by page. @param most of the pages */
  async *from(event: TriggerEventRecord, most: number): AsyncGenerator<ResolvedSubscriber[]> {
    let left = most;
    for (const entries of listedFrom(event)) {
      if (left === 0) return;
      left -= 1;
      yield this.withoutRunOf(event, await this.pages.existing(event, entries));
    }
    let at: Checkpoint | undefined = membersFrom(event);
    while (at !== undefined && left > 0) {
      left -= 1;
      const { recipients, next } = await this.pages.read(event, at);
      yield this.withoutRunOf(event, recipients);
      at = next;
    }
  }

  /** Those of the notifications that are not stored. */
  async withoutRun<K extends NotificationKey>(keys: readonly K[]): Promise<K[]> {
    const stored = await this.notifications.existing(keys);
    return keys.filter(({ _id }) => !stored.has(_id.toHexString()));
  }

  private async hasListed(event: TriggerEventRecord, entries: readonly RecipientEntry[]): Promise<boolean> {
    const found = await this.subscribers.findByExternalIds(
      tenantOf(event),
      entries.map(({ subscriberId }) => subscriberId),
    );
    // Whom the event describes would have been created.
    if (entries.some((entry) => !isOnlyNamed(entry) && !found.has(entry.subscriberId))) return true;
    return this.hasSome(event, [...found.values()]);
  }

  private async hasSome(event: TriggerEventRecord, recipients: readonly ResolvedSubscriber[]): Promise<boolean> {
    return (await this.withoutRunOf(event, recipients)).length > 0;
  }

  private async withoutRunOf(
    { _id: eventId, _environmentId }: TriggerEventRecord,
    recipients: readonly ResolvedSubscriber[],
  ): Promise<ResolvedSubscriber[]> {
    const keys = recipients.map((recipient) => ({
      _id: notificationIdFor(eventId, recipient.subscriberId),
      _environmentId,
      _subscriberId: toObjectId(recipient._id),
      recipient,
    }));
    return (await this.withoutRun(keys)).map(({ recipient }) => recipient);
  }
}

/** The listed recipients behind the checkpoint, in pages. */
function* listedFrom({ recipients, checkpoint = START }: TriggerEventRecord): Generator<RecipientEntry[]> {
  if (recipients.everybody === true || checkpoint.source !== 0) return;
  const from = typeof checkpoint.after === 'number' ? checkpoint.after : 0;
  for (let at = from; at < recipients.list.length; at += PAGE) yield recipients.list.slice(at, at + PAGE);
}

/** Where the recipients begin that are not listed and have no checkpoint behind them. */
function membersFrom({ recipients, checkpoint = START }: TriggerEventRecord): Checkpoint | undefined {
  if (recipients.everybody === true) return checkpoint;
  return checkpoint.source > 0 ? checkpoint : sourceAfter(0, recipients);
}
