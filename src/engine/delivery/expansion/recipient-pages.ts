import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/common';
import { AppException, AppLogger } from '#libs/http-kit';
import {
  type DescribedPeople,
  DescribedSubscribers,
  type HeldAmong,
  type Naming,
  RefusedNamings,
  type ResolvedSubscriber,
  SubscribersService,
} from '../../../audience/subscribers/index.js';
import { storedEntries } from '../records/descriptions.js';
import {
  type Checkpoint,
  type RecipientEntry,
  type TriggerEventRecord,
  TriggerEventStore,
} from '../records/trigger-event.js';
import { tenantOf } from '../run/run.js';
import { afterOf, GroupPages, PAGE, type RecipientPage, sourceAfter } from './group-pages.js';
import { type KnownRecipients, ReadAhead } from './read-ahead.js';

const NOBODY: DescribedPeople = { subscribers: new Map(), refused: new RefusedNamings() };

/** Those listed in an event, without whoever has the id of a recipient that was deleted after the event was accepted. */
export function recipientsOf(
  event: TriggerEventRecord,
  list: readonly RecipientEntry[],
  { subscribers, refused }: DescribedPeople,
): ResolvedSubscriber[] {
  return list.flatMap(({ subscriberId }) => {
    const found = subscribers.get(subscriberId);
    return found === undefined || !isMeant(event, found) || refused.has(namingOf(event, subscriberId)) ? [] : found;
  });
}

/** Whether whoever has the external id of a recipient now is the one whom the event is for. */
function isMeant({ forRecord }: TriggerEventRecord, { _id }: ResolvedSubscriber): boolean {
  return forRecord === undefined || forRecord.toHexString() === _id;
}

/** Recipients as an event lists them. */
interface NamedRecipients {
  readonly event: TriggerEventRecord;
  readonly entries: readonly RecipientEntry[];
}

/** Reads the recipients of an event page by page, so that memory does not grow with their number. */
@Injectable()
export class RecipientPages {
  constructor(
    private readonly subscribers: SubscribersService,
    private readonly groups: GroupPages,
    private readonly ahead: ReadAhead,
    private readonly described: DescribedSubscribers,
    private readonly events: TriggerEventStore,
    private readonly logger: AppLogger,
  ) {}

  /** What was read while the event was being stored, if that was all of its recipients. */
  readAhead(event: TriggerEventRecord): Promise<KnownRecipients | undefined> {
    return this.ahead.take(event);
  }

  /** The page that begins at a checkpoint. Described subscribers are created or updated on the way. */
  async read(event: TriggerEventRecord, at: Checkpoint): Promise<RecipientPage> {
    if (event.recipients.everybody === true) return this.readAll(event, at);
    return at.source === 0 ? this.readList(event, at) : this.groups.read(event, at);
  }

  /** Listed recipients that exist. Creates and changes nobody. */
  async existing(event: TriggerEventRecord, list: readonly RecipientEntry[]): Promise<ResolvedSubscriber[]> {
    const ids = list.map(({ subscriberId }) => subscriberId);
    const subscribers = await this.subscribers.findByExternalIds(tenantOf(event), ids);
    const namings = ids.map((id) => namingOf(event, id));
    const refused = await this.described.refusedAmong(tenantOf(event), namings, this.heldAmong([event]));
    return recipientsOf(event, list, { subscribers, refused });
  }

  private async readAll(event: TriggerEventRecord, at: Checkpoint): Promise<RecipientPage> {
    const recipients = await this.subscribers.readPage(tenantOf(event), { ...afterOf(at), limit: PAGE });
    const last = recipients.at(-1);
    return {
      recipients,
      ...(last && recipients.length === PAGE && { next: { source: 0, after: last._id } }),
      mayRepeat: false,
    };
  }

  private async readList(event: TriggerEventRecord, { after }: Checkpoint): Promise<RecipientPage> {
    const { list } = event.recipients;
    const from = typeof after === 'number' ? after : 0;
    const page = list.slice(from, from + PAGE);
    const isLast = from + PAGE >= list.length;
    const next = isLast ? sourceAfter(0, event.recipients) : { source: 0, after: from + PAGE };
    return {
      recipients: recipientsOf(event, page, await this.resolve([{ event, entries: storedEntries(event, page) }])),
      ...(next && { next }),
      mayRepeat: false,
    };
  }

  /**
   * The listed recipients of events of one environment. Described subscribers are created or updated; credentials are added to
   * what they have.
   */
  async resolve(named: readonly NamedRecipients[]): Promise<DescribedPeople> {
    const [first] = named;
    const all = named.flatMap(({ event, entries }) => entries.map((entry) => ({ event, entry })));
    if (first === undefined || all.length === 0) return NOBODY;
    const tenant = tenantOf(first.event);
    const descriptions = all.map(({ event: { _id, forRecord, deletionsBefore }, entry }) => ({
      by: _id,
      definition: entry,
      forRecord,
      deletionsBefore,
    }));
    const { subscribers, refused } = await this.described.apply(
      tenant,
      descriptions,
      this.heldAmong(named.map(({ event }) => event)),
    );
    const reached: string[] = [];
    for (const { event, entry } of all) {
      const { subscriberId, channels = [] } = entry;
      const subscriber = subscribers.get(subscriberId);
      if (subscriber === undefined || channels.length === 0 || refused.has(namingOf(event, subscriberId))) continue;
      for (const channel of channels) await this.addCredentials(tenant, subscriber, channel);
      reached.push(subscriber._id);
    }
    const fresh = await this.subscribers.findByIds(tenant, reached);
    const found = [...fresh.values()].map((subscriber) => [subscriber.subscriberId, subscriber] as const);
    return { subscribers: new Map([...subscribers, ...found]), refused };
  }

  private heldAmong(events: readonly TriggerEventRecord[]): HeldAmong {
    return (ids) => {
      const wanted = new Set(ids.map(String));
      return this.events.heldAmong(events.filter(({ _id }) => wanted.has(_id.toHexString())));
    };
  }

  private async addCredentials(
    tenant: TenantContext,
    { _id, subscriberId }: ResolvedSubscriber,
    channel: NonNullable<RecipientEntry['channels']>[number],
  ): Promise<void> {
    try {
      await this.subscribers.setCredentials(tenant, subscriberId, channel, 'append', _id);
    } catch (error) {
      // The request was checked; an integration that was deleted since must not stop the event.
      if (!(error instanceof AppException)) throw error;
      this.logger.warn(error.message, RecipientPages.name);
    }
  }
}

function namingOf({ _id, deletionsBefore }: TriggerEventRecord, subscriberId: string): Naming {
  return { eventId: _id, subscriberId, deletionsBefore };
}
