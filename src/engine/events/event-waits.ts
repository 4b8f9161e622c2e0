import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { TenantContext } from '#libs/common';

const MAX_WAITING = 100;
const MAX_WAITING_PER_ENVIRONMENT = 20;
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1_000;

interface Waiting {
  readonly environmentId: string;
  readonly stop: AbortController;
}

/**
 * Requests that wait for the end of an event. They read the store, because any process may deliver it. Beyond the limits
 * and while Herald stops, nobody waits: the answer comes at once.
 */
@Injectable()
export class EventWaits implements OnModuleDestroy {
  private readonly waiting = new Set<Waiting>();
  private isClosed = false;

  /**
   * @param read reads the state once
   * @param onGone registers what to call when the caller has gone; returns how to take that back
   * @returns the state when it has ended, or the last one read
   */
  async until<T extends { readonly ended: boolean }>(
    { environmentId }: TenantContext,
    seconds: number,
    read: () => Promise<T>,
    onGone: (listener: () => void) => () => void,
  ): Promise<T> {
    const state = await read();
    if (state.ended || seconds === 0 || !this.hasRoom(environmentId)) return state;
    const one: Waiting = { environmentId, stop: new AbortController() };
    this.waiting.add(one);
    const forget = onGone(() => one.stop.abort());
    try {
      return await this.poll(state, seconds, read, one.stop.signal);
    } finally {
      forget();
      this.waiting.delete(one);
    }
  }

  onModuleDestroy(): void {
    this.isClosed = true;
    for (const { stop } of this.waiting) stop.abort();
  }

  private hasRoom(environmentId: string): boolean {
    if (this.isClosed || this.waiting.size >= MAX_WAITING) return false;
    const own = [...this.waiting].filter((one) => one.environmentId === environmentId);
    return own.length < MAX_WAITING_PER_ENVIRONMENT;
  }

  private async poll<T extends { readonly ended: boolean }>(
    first: T,
    seconds: number,
    read: () => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const end = performance.now() + seconds * 1_000;
    let state = first;
    for (
      let pauseMs = FIRST_PAUSE_MS;
      !state.ended && !signal.aborted;
      pauseMs = Math.min(pauseMs * 1.5, MAX_PAUSE_MS)
    ) {
      const leftMs = end - performance.now();
      if (leftMs <= 0) break;
      await sleep(Math.min(pauseMs, leftMs), undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) state = await read();
    }
    return state;
  }
}
