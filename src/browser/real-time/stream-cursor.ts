import type { MessageKeyInTime } from '../../engine/messages/index.js';

/**
 * Longest time between the creation of a message and its storage, with the differences of clocks: messages may become
 * visible in another order than that of their times.
 */
export const OVERLAP_MS = 60_000;
/** Messages that an event id names. With more in {@link OVERLAP_MS}, a browser that returns may get some of them twice. */
const MAX_NAMED = 100;
const DIGITS = 10;
const EVENT_ID = /^[0-9a-z]{1,10}(?:\.[0-9a-f]{10}){0,100}$/;

/**
 * How far a browser has read: up to a time, and which messages of the time shortly before it. As an event id it comes
 * back with a reconnect, so that nothing is kept for browsers that are not connected.
 */
export class StreamCursor {
  /** Times of the messages of the last {@link OVERLAP_MS}, by the end of their ids, in the order of delivery. */
  private readonly known = new Map<string, number>();

  constructor(private reachedMs: number) {}

  /** @returns undefined for a text that is no event id */
  static parse(text: string): StreamCursor | undefined {
    if (!EVENT_ID.test(text)) return undefined;
    const [reached = '', ...known] = text.split('.');
    const cursor = new StreamCursor(Number.parseInt(reached, 36));
    for (const end of known) cursor.known.set(end, cursor.reachedMs);
    return cursor;
  }

  /** From when messages that the browser does not have can be found. */
  get from(): Date {
    return new Date(this.reachedMs - OVERLAP_MS);
  }

  has({ id }: Pick<MessageKeyInTime, 'id'>): boolean {
    return this.known.has(endOf(id));
  }

  add({ id, createdAt }: MessageKeyInTime): void {
    this.known.set(endOf(id), createdAt.getTime());
    if (createdAt.getTime() <= this.reachedMs) return;
    this.reachedMs = createdAt.getTime();
    const oldest = this.reachedMs - OVERLAP_MS;
    for (const [end, time] of this.known) if (time < oldest) this.known.delete(end);
  }

  toString(): string {
    return [this.reachedMs.toString(36), ...[...this.known.keys()].slice(-MAX_NAMED)].join('.');
  }
}

function endOf(id: string): string {
  return id.slice(-DIGITS);
}
