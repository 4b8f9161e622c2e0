import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/common';
import { AppException, AppLogger } from '#libs/http-kit';
import {
  type EarlierPerson,
  Erasures,
  type ResolvedSubscriber,
  SubscribersService,
} from '../../../management/subscribers/index.js';
import { TopicsService } from '../../../management/topics/index.js';
import { storedEntries } from '../records/descriptions.js';
import type { Checkpoint, RecipientEntry, TriggerEventRecord } from '../records/trigger-event.js';
import { tenantOf } from '../run/run.js';
import { type KnownRecipients, ReadAhead } from './read-ahead.js';

export const PAGE = 250;

export interface ResolvedRecipients {
  /** By the client's own id. */
  readonly subscribers: ReadonlyMap<string, ResolvedSubscriber>;
  /** Who had these ids when the oldest of the events was accepted, and was deleted since. */
  readonly deleted: ReadonlyMap<string, EarlierPerson>;
}

const NOBODY: ResolvedRecipients = { subscribers: new Map(), deleted: new Map() };

/** Whether an event was accepted after the person who had an id before was deleted: it is for whoever has the id now. */
function isMeantNow(event: TriggerEventRecord, { erasedAt }: EarlierPerson): boolean {
  return event.createdAt > erasedAt;
}

/** Those listed in an event, without whoever has the id of a recipient that was deleted after the event was accepted. */
export function recipientsOf(
  event: TriggerEventRecord,
  list: readonly RecipientEntry[],
  { subscribers, deleted }: ResolvedRecipients,
): ResolvedSubscriber[] {
  return list.flatMap(({ subscriberId }) => {
    const earlier = deleted.get(subscriberId);
    if (earlier !== undefined && !isMeantNow(event, earlier)) return [];
    return subscribers.get(subscriberId) ?? [];
  });
}

export interface RecipientPage {
  readonly recipients: ResolvedSubscriber[];
  readonly next?: Checkpoint;
  /** A recipient may have been on an earlier page: a member of two topics. */
  readonly mayRepeat: boolean;
}

/** Reads the recipients of an event page by page, so that memory does not grow with their number. */
@Injectable()
export class RecipientPages {
  constructor(
    private readonly subscribers: SubscribersService,
    private readonly topics: TopicsService,
    private readonly ahead: ReadAhead,
    private readonly erasures: Erasures,
    private readonly logger: AppLogger,
  ) {}

  /** What was read while the event was being stored, if that was all of its recipients. */
  readAhead(event: TriggerEventRecord): Promise<KnownRecipients | undefined> {
    return this.ahead.take(event);
  }

  /** The page that begins at a checkpoint. Described subscribers are created or updated on the way. */
  async read(event: TriggerEventRecord, at: Checkpoint): Promise<RecipientPage> {
    if (event.recipients.everybody === true) return this.readAll(event, at);
    return at.source === 0 ? this.readList(event, at) : this.readTopics(event, at);
  }

  /** Listed recipients that exist. Creates and changes nobody. */
  async existing(event: TriggerEventRecord, list: readonly RecipientEntry[]): Promise<ResolvedSubscriber[]> {
    const ids = list.map(({ subscriberId }) => subscriberId);
    const [subscribers, deleted] = await Promise.all([
      this.subscribers.findByExternalIds(tenantOf(event), ids),
      this.deletedSince([event], list),
    ]);
    return recipientsOf(event, list, { subscribers, deleted });
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
    const { list, topics } = event.recipients;
    const from = typeof after === 'number' ? after : 0;
    const page = list.slice(from, from + PAGE);
    const isLast = from + PAGE >= list.length;
    return {
      recipients: recipientsOf(event, page, await this.resolve([event], storedEntries(event, page))),
      ...(!isLast && { next: { source: 0, after: from + PAGE } }),
      ...(isLast && topics.length > 0 && { next: { source: 1 } }),
      mayRepeat: false,
    };
  }

  /** Members of topics, without the actor and without those that are listed. */
  private async readTopics(event: TriggerEventRecord, at: Checkpoint): Promise<RecipientPage> {
    const { list, topics } = event.recipients;
    const tenant = tenantOf(event);
    const [batch] = await firstOf(this.topics.streamMembers(tenant, topics, { ...afterOf(at), batch: PAGE }));
    if (batch === undefined) return { recipients: [], mayRepeat: false };
    const left = new Set([...list.map(({ subscriberId }) => subscriberId), event.actor?.subscriberId]);
    const wanted = batch.members.filter(({ subscriberId }) => !left.has(subscriberId));
    const found = await this.subscribers.findByIds(
      tenant,
      wanted.map(({ _id }) => _id),
    );
    return {
      recipients: [...found.values()],
      next: { source: 1, after: batch.checkpoint },
      mayRepeat: topics.length > 1,
    };
  }

  /**
   * The listed recipients of events of one environment. Described subscribers are created or updated; credentials are added to
   * what they have.
   */
  async resolve(
    events: readonly TriggerEventRecord[],
    entries: readonly RecipientEntry[],
  ): Promise<ResolvedRecipients> {
    const [first] = events;
    if (first === undefined || entries.length === 0) return NOBODY;
    const tenant = tenantOf(first);
    const found = await this.subscribers.upsertMany(tenant, entries, first._id);
    const deleted = await this.deletedSince(events, entries);
    await this.discardDeleted(events, deleted, found);
    const reachable = entries.filter(
      ({ subscriberId, channels = [] }) => channels.length > 0 && found.has(subscriberId),
    );
    for (const { subscriberId, channels } of reachable) {
      for (const channel of channels ?? []) await this.addCredentials(tenant, subscriberId, channel);
    }
    const fresh = await this.subscribers.findByExternalIds(
      tenant,
      reachable.map(({ subscriberId }) => subscriberId),
    );
    return { subscribers: new Map([...found, ...fresh]), deleted };
  }

  private async deletedSince(
    events: readonly TriggerEventRecord[],
    entries: readonly RecipientEntry[],
  ): Promise<ReadonlyMap<string, EarlierPerson>> {
    const [first] = events;
    if (first === undefined) return new Map();
    const oldest = new Date(Math.min(...events.map(({ createdAt }) => createdAt.getTime())));
    const ids = [...new Set(entries.map(({ subscriberId }) => subscriberId))];
    const deleted = await this.erasures.deletedSince(tenantOf(first), ids, oldest);
    return new Map(deleted.map((person) => [person.subscriberId, person]));
  }

  /**
   * An erasure is noted before the record is removed, so a record that these events have created since then is found here,
   * and removed again unless one of them was accepted after the deletion.
   */
  private async discardDeleted(
    events: readonly TriggerEventRecord[],
    deleted: ReadonlyMap<string, EarlierPerson>,
    found: Map<string, ResolvedSubscriber>,
  ): Promise<void> {
    const [first] = events;
    if (first === undefined || deleted.size === 0) return;
    const gone = [...deleted.values()].filter((person) => events.every((event) => !isMeantNow(event, person)));
    const ids = gone.map(({ subscriberId }) => subscriberId);
    await this.subscribers.discard(tenantOf(first), ids, first._id);
    for (const id of ids) found.delete(id);
    const { _environmentId } = first;
    for (const { id, subscriberId } of deleted.values()) {
      await this.erasures.reopen([{ _id: id, _environmentId }], subscriberId);
    }
  }

  private async addCredentials(
    tenant: TenantContext,
    subscriberId: string,
    channel: NonNullable<RecipientEntry['channels']>[number],
  ): Promise<void> {
    try {
      await this.subscribers.setCredentials(tenant, subscriberId, channel, 'append');
    } catch (error) {
      // The request was checked; an integration that was deleted since must not stop the event.
      if (!(error instanceof AppException)) throw error;
      this.logger.warn(error.message, RecipientPages.name);
    }
  }
}

/** The next item of a stream, which is closed then; none at its end. */
async function firstOf<T>(stream: AsyncGenerator<T>): Promise<T[]> {
  for await (const item of stream) return [item];
  return [];
}

function afterOf({ after }: Checkpoint): { after?: string } {
  return typeof after === 'string' ? { after } : {};
}
