import { type InboxApi, InboxError, signalAfter } from './api.js';
import { readEvents } from './sse.js';
import { TabGroup } from './tab-group.js';
import type { InboxFault, InboxStatus } from './types.js';

const POLL_MS = 30_000;
/** Longer than the server takes to show that it is alive (25 s). */
const SILENCE_MS = 60_000;
/** A proxy that holds a stream back gives nothing in this time. */
const OPEN_WITHIN_MS = 10_000;
const MAX_WAIT_MS = 30_000;
/** Before a stream is tried again that this server or proxy does not give. */
const UNAVAILABLE_MS = 300_000;

/** `counts` of the stream. */
export interface LiveCounts {
  readonly unseenCount: number;
  readonly counts: { readonly total: number };
}

/** The fields of `message` that are read here. */
export interface LiveMessage {
  readonly _id: string;
  readonly createdAt: string;
  readonly subject?: string;
  readonly content: unknown;
}

export interface StatusNews {
  readonly kind: 'status';
  readonly status: InboxStatus;
  /** Why the session was refused. */
  readonly error?: InboxFault;
}

export type LiveNews =
  | { readonly kind: 'message'; readonly message: LiveMessage }
  | { readonly kind: 'counts'; readonly counts: LiveCounts }
  /** Read what may have been missed. */
  | { readonly kind: 'gap' }
  | StatusNews;

interface LiveOptions {
  readonly api: InboxApi;
  /** Tabs with the same name share one stream. */
  readonly name: string;
  readonly pollMs?: number;
  readonly onNews: (news: LiveNews) => void;
}

/**
 * Keeps one stream open for all tabs of a browser. Where there is none, it asks at intervals. After each interruption it names the last
 * event that came, and reports a gap, so that the list is read again.
 */
export class LiveConnection {
  private readonly group: TabGroup<LiveNews>;
  private ending = new AbortController();
  private lastEventId: string | undefined;
  private failures = 0;
  private wake: (() => void) | undefined;
  private silence: Watch | undefined;
  private now: StatusNews = { kind: 'status', status: 'connecting' };

  constructor(private readonly options: LiveOptions) {
    this.group = new TabGroup<LiveNews>(options.name, {
      greeting: () => this.now,
      onTold: (news, eventId) => {
        this.lastEventId = eventId ?? this.lastEventId;
        options.onNews(news);
      },
    });
  }

  start(): void {
    this.ending = new AbortController();
    const { signal } = this.ending;
    globalThis.addEventListener?.('online', this.onOnline, { signal });
    globalThis.addEventListener?.('offline', () => this.tell({ kind: 'status', status: 'offline' }), { signal });
    globalThis.document?.addEventListener('visibilitychange', this.wakeUp, { signal });
    void this.group.lead(signal, () => this.run(signal));
  }

  stop(): void {
    this.ending.abort();
    this.wake?.();
    this.group.leave();
  }

  /** Reports a gap, and does not wait for the next attempt. */
  retry(): void {
    this.wake?.();
    this.options.onNews({ kind: 'gap' });
  }

  /** A connection of the network before may be dead without a sign. */
  private readonly onOnline = (): void => {
    this.failures = 0;
    this.silence?.within(0);
    this.wake?.();
  };

  private readonly wakeUp = (): void => {
    if (globalThis.document?.visibilityState !== 'hidden') this.wake?.();
  };

  private tell(news: LiveNews, eventId?: string): void {
    if (news.kind === 'status') this.now = news;
    this.options.onNews(news);
    this.group.tell(news, eventId);
  }

  private async run(signal: AbortSignal): Promise<void> {
    this.tell({ kind: 'status', status: 'connecting' });
    while (!signal.aborted) {
      const failure = await this.stream(signal).then(
        () => new InboxError('The stream has ended', 0),
        (error: unknown) => (error instanceof InboxError ? error : new InboxError(String(error), 0)),
      );
      if (!signal.aborted) await this.after(failure, signal);
    }
  }

  private async after(failure: InboxError, signal: AbortSignal): Promise<void> {
    const { message, status, code, retryAfterMs } = failure;
    const isUnavailable =
      code === 'real_time_off' || code === 'too_many_connections' || (code === 'held_back' && (await this.isReached()));
    if (!failure.isPassing && !isUnavailable) {
      this.tell({ kind: 'status', status: 'refused', error: { message, status, ...(code !== undefined && { code }) } });
      await this.pause(undefined, signal);
    } else if (isUnavailable) {
      await this.poll(signal);
    } else {
      this.failures += 1;
      // The first attempt after a stream that worked comes soon: servers restart. Later ones are spread.
      const longest = Math.min(MAX_WAIT_MS, 1_000 * 2 ** (this.failures - 1));
      if (this.failures > 1) this.tell({ kind: 'status', status: status === 0 ? 'offline' : 'connecting' });
      await this.pause(retryAfterMs ?? longest * (0.5 + Math.random() / 2), signal);
    }
  }

  private async poll(signal: AbortSignal): Promise<void> {
    const end = Date.now() + UNAVAILABLE_MS;
    this.tell({ kind: 'status', status: 'polling' });
    while (!signal.aborted && Date.now() < end) {
      if (globalThis.document?.visibilityState !== 'hidden') this.tell({ kind: 'gap' });
      await this.pause(this.options.pollMs ?? POLL_MS, signal);
    }
  }

  /** Whether only the stream does not get through. */
  private isReached(): Promise<boolean> {
    const sent = { query: { filters: '[]' }, signal: signalAfter(OPEN_WITHIN_MS) };
    return this.options.api.send('GET', 'notifications/count', sent).then(
      () => true,
      () => false,
    );
  }

  private async stream(signal: AbortSignal): Promise<void> {
    const silence = new Watch(signal);
    this.silence = silence;
    try {
      silence.within(OPEN_WITHIN_MS, 'held_back');
      const query = { lastEventId: this.lastEventId };
      const { body } = await this.options.api.send('GET', 'stream', { query, signal: silence.signal });
      if (body === null) throw new InboxError('No stream', 404, 'real_time_off');
      let isOpen = false;
      for await (const event of readEvents(body)) {
        if (!isOpen || this.now.status !== 'live') this.opened();
        isOpen = true;
        silence.within(SILENCE_MS);
        if (event === undefined) continue;
        this.lastEventId = event.id ?? this.lastEventId;
        const data: unknown = JSON.parse(event.data);
        if (event.type === 'message') this.tell({ kind: 'message', message: data as LiveMessage }, this.lastEventId);
        if (event.type === 'counts') this.tell({ kind: 'counts', counts: data as LiveCounts }, this.lastEventId);
      }
    } catch (error) {
      throw silence.failure ?? error;
    } finally {
      silence.stop();
      if (this.silence === silence) this.silence = undefined;
    }
  }

  private opened(): void {
    this.failures = 0;
    this.tell({ kind: 'status', status: 'live' });
    this.tell({ kind: 'gap' });
  }

  /** Ends early when the browser comes online, or the page is looked at again. */
  private pause(ms: number | undefined, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const timer = ms === undefined ? undefined : setTimeout(() => this.wake?.(), ms);
      this.wake = () => {
        clearTimeout(timer);
        this.wake = undefined;
        resolve();
      };
    });
  }
}

/** Ends a request that is silent for too long. */
class Watch {
  private readonly controller = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly end = (): void => this.controller.abort();
  failure: InboxError | undefined;

  constructor(private readonly outer: AbortSignal) {
    outer.addEventListener('abort', this.end);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  within(ms: number, code?: string): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.failure = new InboxError('Nothing was received', 0, code);
      this.controller.abort();
    }, ms);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.outer.removeEventListener('abort', this.end);
    this.end();
  }
}
