import type { MessageKeyInTime } from '../../engine/messages/live/index.js';

/** Maximum delay between creating and storing a message, with clock skew: messages may become visible out of order. */
export const OVERLAP_MS = 60_000;
/** In an event id. With more in {@link OVERLAP_MS}, a returning browser may get some messages twice. */
const MAX_NAMED = 100;
const DIGITS = 10;
const EVENT_ID = /^[0-9a-z]{1,10}(?:\.[0-9a-f]{10}){0,100}$/;

/**
 * A time and the messages shortly before it. The browser returns it as an event id, so the server keeps no state for
 * disconnected browsers.
 */
export class StreamCursor {
  /** Times by the end of the message ids, in order of delivery. */
  private readonly known = new Map<string, number>();

  constructor(private reachedMs: number) {}

  /** @returns undefined for an invalid event id */
  static parse(text: string): StreamCursor | undefined {
    if (!EVENT_ID.test(text)) return undefined;
    const [reached = '', ...known] = text.split('.');
    const cursor = new StreamCursor(Number.parseInt(reached, 36));
    for (const end of known) cursor.known.set(end, cursor.reachedMs);
    return cursor;
  }

  /** Messages that the browser lacks are not older. */
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
