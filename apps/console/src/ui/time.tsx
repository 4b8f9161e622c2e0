import type { VNode } from 'preact';
import { momentOf, shortMomentOf, sinceOf } from '../durations.js';

/** A time as how long ago it was, with the exact one as a hint. */
export function Ago({ at, now = Date.now() }: { at: string; now?: number }): VNode {
  return (
    <time dateTime={at} title={momentOf(at)}>
      {sinceOf(at, now)}
    </time>
  );
}

/** The exact time, in short without the year. */
export function Moment({ at, isShort = false }: { at: string; isShort?: boolean }): VNode {
  return (
    <time dateTime={at} title={momentOf(at)}>
      {isShort ? shortMomentOf(at) : momentOf(at)}
    </time>
  );
}
