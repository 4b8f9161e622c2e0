import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { ProviderError } from '#libs/channels';
import { MESSAGES_HELD } from '#libs/telemetry';
import { Batcher } from '#libs/work';
import { type ActiveIntegration, IntegrationHealth } from '../../../channels/integrations/index.js';
import { HeldBack, type HoldReason } from './held-back.js';
import { PaceBook, PATIENCE_MS, type Wish } from './pace-book.js';

export type Paced = Pick<ActiveIntegration, 'id' | 'channel' | 'providerId' | 'messagesPerSecond' | 'quietUntil'>;

/** A time at which the message may leave, or about when it is worth asking again. */
type Place = { readonly at: number } | { readonly askAt: number };

/** The limit may be raised meanwhile, and a provider may answer sooner than it said. */
const LONGEST_MS = 600_000;
/** Who is later than this gives its time up: a process that stood still would use many at once. */
const LATE_MS = 250;
/** More would let nothing through where the store is slow. */
const MAX_RENEWALS = 2;
/** What a 429 without a time asks for. */
const USUAL_WAIT_MS = 1_000;
/** Messages come back from a wait one after the other, so that the provider is not asked by all of them at once. */
const AFTER_WAIT_MS = 50;
/** A wait that is longer by less than this is not worth a write. */
const SAME_WAIT_MS = 500;
const BATCH = 1_000;

/**
 * Spaces the messages of an integration as its limit and the answers of its provider want. Messages that come at once share a
 * command of the store, and integrations without a limit cost none.
 */
@Injectable()
export class IntegrationPaces {
  private readonly batcher = new Batcher<Wish, Place>((wishes) => this.place(wishes), { size: BATCH, concurrency: 2 });
  /** What those that have to come again were told, so that they do not all come at once. */
  private readonly promised = new Map<string, number>();
  /** Newer than what the integrations say, which are read every few seconds. */
  private readonly quiet = new Map<string, number>();

  constructor(
    private readonly book: PaceBook,
    private readonly health: IntegrationHealth,
  ) {}

  /** Resolves when the message may leave. @throws {HeldBack} when that is too far away to wait for */
  async turn(integration: Paced, now: () => Date): Promise<void> {
    const { messagesPerSecond } = integration;
    this.assertNotQuiet(integration, now().getTime());
    if (messagesPerSecond === undefined) return;
    const wish = { id: integration.id, intervalMs: 1_000 / messagesPerSecond };
    for (let renewals = 0; ; renewals += 1) {
      const late = await this.waitFor({ ...wish, now: now().getTime() }, integration);
      if (late <= LATE_MS || renewals === MAX_RENEWALS) break;
    }
    this.assertNotQuiet(integration, now().getTime());
  }

  /** A provider that limits an account is left alone by all processes for as long as it says. */
  async note(environmentId: string, integration: Paced, error: ProviderError, now: Date): Promise<void> {
    const { id, channel } = integration;
    if (error.code !== 'rate_limited') return;
    // Chat services count by room, and push services by device unless they say for how long.
    if (channel === 'chat' || (channel === 'push' && error.retryAfterMs === undefined)) return;
    const wait = Math.min(error.retryAfterMs ?? USUAL_WAIT_MS, LONGEST_MS);
    const until = now.getTime() + wait;
    if (until < this.quietUntil(integration) + SAME_WAIT_MS) return;
    this.quiet.set(id, until);
    await this.health.quiet({ environmentId }, id, new Date(until));
  }

  /** @returns how much later than its time the message goes on, in milliseconds */
  private async waitFor(wish: Wish, integration: Paced): Promise<number> {
    const asked = performance.now();
    const place = await this.batcher.submit(wish);
    if ('askAt' in place) throw heldBack('integration_limit', integration, place.askAt - wish.now);
    const wait = place.at - wish.now;
    const left = wait - (performance.now() - asked);
    if (left > 0) await pause(left);
    return performance.now() - asked - wait;
  }

  private assertNotQuiet(integration: Paced, now: number): void {
    const { id, messagesPerSecond } = integration;
    const until = this.quietUntil(integration);
    if (until <= now) {
      this.quiet.delete(id);
      return;
    }
    const interval = messagesPerSecond === undefined ? AFTER_WAIT_MS : 1_000 / messagesPerSecond;
    const [at = until] = this.promises(id, 1, until, interval, now);
    throw heldBack('provider_wait', integration, at - now);
  }

  private quietUntil({ id, quietUntil }: Paced): number {
    return Math.max(this.quiet.get(id) ?? 0, quietUntil?.getTime() ?? 0);
  }

  private async place(wishes: readonly Wish[]): Promise<Place[]> {
    const groups = new Map<string, Wish[]>();
    for (const wish of wishes) groups.set(wish.id, [...(groups.get(wish.id) ?? []), wish]);
    const placed = new Map(
      await Promise.all([...groups].map(async ([id, group]) => [id, await this.placesOf(id, group)] as const)),
    );
    return wishes.map(({ id, now }) => placed.get(id)?.shift() ?? { askAt: now + PATIENCE_MS });
  }

  private async placesOf(id: string, wishes: readonly Wish[]): Promise<Place[]> {
    const [wish] = wishes;
    if (wish === undefined) return [];
    const { times, next } = await this.book.reserve(wish, wishes.length);
    const later = this.promises(id, wishes.length - times.length, next, wish.intervalMs, wish.now);
    return [...times.map((at): Place => ({ at })), ...later.map((askAt): Place => ({ askAt }))];
  }

  private promises(id: string, count: number, free: number, intervalMs: number, now: number): number[] {
    const first = Math.max(free, this.promised.get(id) ?? 0);
    if (count > 0) this.promised.set(id, Math.min(first + count * intervalMs, now + LONGEST_MS));
    return Array.from({ length: count }, (_, place) => Math.min(first + place * intervalMs, now + LONGEST_MS));
  }
}

function heldBack(reason: HoldReason, { channel, providerId: provider }: Paced, ms: number): HeldBack {
  MESSAGES_HELD.add({ channel, provider, reason });
  return new HeldBack(reason, ms);
}
