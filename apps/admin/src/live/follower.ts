import { ApiFault, type CallOptions, type HeraldClient } from '../files/herald-client.js';
import { type Delivery, deliveryOf, ENDED, type Job, type Notification, notificationsOf } from './deliveries.js';

/** Notifications can appear in the list later than their time of creation says: several processes write them. */
const OVERLAP_MS = 5_000;
/** Notifications that wait, such as for the end of a delay, and are looked at again. */
const MAX_WAITING = 1_000;
const NEVER = new Date(0).toISOString();

interface Known {
  readonly createdAt: string;
  isActive: boolean;
  /** Ends that were told, by step and replay. */
  readonly told: Set<string>;
}

type Query = readonly (readonly [string, string])[];

/**
 * Finds what became of steps since it was asked last. Each poll reads a span that overlaps the one before, and knows by their ids which
 * notifications it has seen: so it neither loses nor repeats one of several with the same time.
 */
export class Follower {
  private readonly known = new Map<string, Known>();
  /** Found and not yet returned, also by a poll that failed in the middle. */
  private pending: Delivery[] = [];
  /** Time of the newest notification of the last whole poll, and of the present one. */
  private newest = NEVER;
  private newestSeen = NEVER;
  private isLimited = false;

  /** @param filters of the list of notifications */
  constructor(
    private readonly client: HeraldClient,
    private readonly filters: Query,
    private readonly options: CallOptions,
  ) {}

  /** Whether more notifications wait than are followed. */
  get leavesOut(): boolean {
    return this.isLimited;
  }

  /** Takes what has ended for told. @param since tells what was triggered after this time */
  async begin(since?: string): Promise<void> {
    if (since !== undefined) {
      this.newest = new Date(Date.parse(since) + OVERLAP_MS).toISOString();
      return;
    }
    const query = new URLSearchParams(this.filters.map(([name, value]): [string, string] => [name, value]));
    query.set('limit', '1');
    const { data } = await this.client.call('GET', `/v1/notifications?${query.toString()}`, undefined, this.options);
    this.newest = (data as Notification[])[0]?.createdAt ?? NEVER;
    await this.poll();
  }

  /** Oldest first. */
  async poll(): Promise<Delivery[]> {
    const since = this.edge();
    this.newestSeen = this.newest;
    for await (const one of this.list([['from', since]])) this.observe(one);
    await this.pollWaiting(since);
    this.newest = this.newestSeen;
    this.forget();
    const found = this.pending.sort((a, b) => a.at.localeCompare(b.at));
    this.pending = [];
    return found;
  }

  /** Those that began before the span and have not ended, replayed ones included. */
  private async pollWaiting(since: string): Promise<void> {
    const missed = new Set([...this.known].flatMap(([id, one]) => (one.isActive && one.createdAt < since ? [id] : [])));
    let seen = 0;
    this.isLimited = false;
    for await (const one of this.list([
      ['status', 'active'],
      ['to', since],
    ])) {
      if (++seen > MAX_WAITING) {
        this.isLimited = true;
        return;
      }
      missed.delete(one._id);
      // What had ended before this command began is no news.
      if (!this.known.has(one._id)) this.takeForTold(one);
      this.observe(one);
    }
    for (const id of missed) {
      const ended = await this.find(id);
      if (ended === undefined) this.known.delete(id);
      else this.observe(ended);
    }
  }

  private async find(id: string): Promise<Notification | undefined> {
    try {
      return (await this.client.call('GET', `/v1/notifications/${id}`, undefined, this.options)).data as Notification;
    } catch (error) {
      if (error instanceof ApiFault && error.status === 404) return undefined;
      throw error;
    }
  }

  private list(query: Query): AsyncGenerator<Notification> {
    return notificationsOf(this.client, [...this.filters, ...query], this.options);
  }

  private observe(one: Notification): void {
    const known = this.known.get(one._id) ?? { createdAt: one.createdAt, isActive: true, told: new Set<string>() };
    this.known.set(one._id, known);
    known.isActive = one.status === 'active';
    if (one.createdAt > this.newestSeen) this.newestSeen = one.createdAt;
    for (const job of one.jobs) {
      if (!ENDED.includes(job.status) || known.told.has(endOf(job))) continue;
      known.told.add(endOf(job));
      this.pending.push(deliveryOf(one, job));
    }
  }

  private takeForTold({ _id, createdAt, jobs }: Notification): void {
    const told = new Set(jobs.filter(({ status }) => ENDED.includes(status)).map(endOf));
    this.known.set(_id, { createdAt, isActive: true, told });
  }

  private edge(): string {
    return new Date(Math.max(0, Date.parse(this.newest) - OVERLAP_MS)).toISOString();
  }

  /** What has ended and lies before the next span is not read again. */
  private forget(): void {
    const since = this.edge();
    for (const [id, { isActive, createdAt }] of this.known) {
      if (createdAt < since && (!isActive || this.isLimited)) this.known.delete(id);
    }
  }
}

function endOf({ _id, replays = 0 }: Job): string {
  return `${_id} ${replays}`;
}
