import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/common';
import { AppException, AppLogger } from '#libs/http-kit';
import { type ResolvedSubscriber, SubscribersService } from '../../subscribers/index.js';
import { TopicsService } from '../../topics/index.js';
import type { Checkpoint, RecipientEntry, TriggerEventRecord } from '../records/trigger-event.js';
import { tenantOf } from '../run/run.js';
import { type KnownRecipients, ReadAhead } from './read-ahead.js';

export const PAGE = 250;

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
      recipients: await this.resolve(event, page),
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

  /** Creates and updates described subscribers. Credentials are added to what they have. */
  async resolve(event: TriggerEventRecord, entries: readonly RecipientEntry[]): Promise<ResolvedSubscriber[]> {
    const tenant = tenantOf(event);
    const found = await this.subscribers.upsertMany(tenant, entries);
    const reachable = entries.filter(({ channels }) => channels !== undefined && channels.length > 0);
    for (const { subscriberId, channels } of reachable) {
      for (const channel of channels ?? []) await this.addCredentials(tenant, subscriberId, channel);
    }
    const fresh = await this.subscribers.findByExternalIds(
      tenant,
      reachable.map(({ subscriberId }) => subscriberId),
    );
    return [...new Map([...found, ...fresh]).values()];
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
