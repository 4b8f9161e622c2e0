import { Injectable } from '@nestjs/common';
import { SegmentsService } from '../../../audience/segments/index.js';
import { type ResolvedSubscriber, SubscribersService } from '../../../audience/subscribers/index.js';
import { TopicsService } from '../../../audience/topics/index.js';
import type { Checkpoint, RecipientSources, TriggerEventRecord } from '../records/trigger-event.js';
import { tenantOf } from '../run/run.js';

export const PAGE = 250;

export interface RecipientPage {
  readonly recipients: ResolvedSubscriber[];
  readonly next?: Checkpoint;
  /** A recipient may have been on an earlier page: a member of two topics. */
  readonly mayRepeat: boolean;
  /** When the run of the recipient at a place of the page begins; absent: now. */
  readonly beginAt?: (place: number) => Date;
}

/** The topics and segments of an event with the numbers of their subscribers; those of topics are counted up to a limit. */
export interface GroupCounts {
  readonly topics: ReadonlyMap<string, number>;
  readonly segments: ReadonlyMap<string, number>;
}

/** Where a source of recipients after another one begins; undefined if there is none. */
export function sourceAfter(source: number, { topics, segments = [] }: RecipientSources): Checkpoint | undefined {
  if (source < 1 && topics.length > 0) return { source: 1 };
  return source < 2 && segments.length > 0 ? { source: 2 } : undefined;
}

/** Reads those recipients of events whom a topic or a segment names. */
@Injectable()
export class GroupPages {
  constructor(
    private readonly subscribers: SubscribersService,
    private readonly topics: TopicsService,
    private readonly segments: SegmentsService,
  ) {}

  read(event: TriggerEventRecord, at: Checkpoint): Promise<RecipientPage> {
    return at.source === 1 ? this.readTopics(event, at) : this.readSegments(event, at);
  }

  /** How many subscribers each has. */
  async countsOf(event: TriggerEventRecord): Promise<GroupCounts> {
    const { topics, segments = [] } = event.recipients;
    const tenant = tenantOf(event);
    return {
      topics: await this.topics.countMembers(tenant, topics),
      segments: await this.segments.countEach(tenant, segments),
    };
  }

  /** Members of topics, without those whom the event leaves out of them, the actor, and those that are listed. */
  private async readTopics(event: TriggerEventRecord, at: Checkpoint): Promise<RecipientPage> {
    const { list, topics, without = [] } = event.recipients;
    const tenant = tenantOf(event);
    const [batch] = await firstOf(this.topics.streamMembers(tenant, topics, { ...afterOf(at), batch: PAGE }));
    if (batch === undefined) {
      const next = sourceAfter(1, event.recipients);
      return { recipients: [], ...(next && { next }), mayRepeat: false };
    }
    const left = new Set([
      ...list.map(({ subscriberId }) => subscriberId),
      ...without.flatMap(({ topicKey, subscriberIds }) => (topicKey === batch.topicKey ? subscriberIds : [])),
      event.actor?.subscriberId,
    ]);
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

  /** Subscribers who belong to the segments, without the actor and those that are listed. */
  private async readSegments(event: TriggerEventRecord, at: Checkpoint): Promise<RecipientPage> {
    const { list, topics, segments = [], perMinute } = event.recipients;
    const { passed = 0 } = at;
    const window = { ...afterOf(at), at: event.createdAt, limit: PAGE };
    const { subscribers, next } = await this.segments.read(tenantOf(event), segments, window);
    const left = new Set([...list.map(({ subscriberId }) => subscriberId), event.actor?.subscriberId]);
    const recipients = subscribers.filter(({ subscriberId }) => !left.has(subscriberId));
    return {
      recipients,
      ...(next !== undefined && { next: { source: 2, after: next, passed: passed + recipients.length } }),
      mayRepeat: topics.length > 0,
      ...(perMinute !== undefined && { beginAt: timesFrom(event.createdAt, passed, perMinute) }),
    };
  }
}

/** The next item of a stream, which is closed then; none at its end. */
async function firstOf<T>(stream: AsyncGenerator<T>): Promise<T[]> {
  for await (const item of stream) return [item];
  return [];
}

const MINUTE_MS = 60_000;

/** When each of a page begins, so that so many do in a minute. It is the same again if the page is expanded again. */
function timesFrom(start: Date, passed: number, perMinute: number): (place: number) => Date {
  return (place) => new Date(start.getTime() + Math.floor(((passed + place) * MINUTE_MS) / perMinute));
}

export function afterOf({ after }: Checkpoint): { after?: string } {
  return typeof after === 'string' ? { after } : {};
}
