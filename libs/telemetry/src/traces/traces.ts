import { createHash } from 'node:crypto';

type Attributes = Readonly<Record<string, string | number | boolean>>;

export type SpanKind = 'server' | 'internal' | 'client';

/** A span whose end is known. */
export interface FinishedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  /** W3C `traceparent` of the parent. */
  readonly parent: string;
  /** 16 hex digits; by default a random one. */
  readonly spanId?: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly attributes: Attributes;
  /** Present if the work failed. */
  readonly error?: string;
}

/** A span that has begun. */
export interface OpenSpan {
  /** For what belongs to it; undefined if the trace is not sampled. */
  readonly traceparent: string | undefined;
  end(result: { readonly name: string; readonly attributes: Attributes; readonly hasFailed: boolean }): void;
}

/** Receives spans, and exports them. */
export interface SpanSink {
  /** @param parent the `traceparent` of the caller, as sent */
  begin(parent: string | undefined): OpenSpan;
  record(span: FinishedSpan): void;
}

/**
 * The spans of this process. Without an exporter nothing is recorded. The parent of a span is always given: there is no
 * current span, because following one through asynchronous calls slows down every promise of the process.
 */
export class Traces {
  private sink: SpanSink | undefined;

  /** @param sink undefined to stop recording */
  connect(sink: SpanSink | undefined): void {
    this.sink = sink;
  }

  begin(parent: string | undefined): OpenSpan | undefined {
    return this.sink?.begin(parent);
  }

  /** @param make called only if spans are recorded and there is a parent */
  record(parent: string | undefined, make: (parent: string) => FinishedSpan): void {
    if (this.sink === undefined || parent === undefined) return;
    this.sink.record(make(parent));
  }
}

export const traces = new Traces();

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

export interface SpanAddress {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

/** @returns undefined if it is not valid */
export function parseTraceparent(text: string | undefined): SpanAddress | undefined {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(text ?? '') ?? [];
  if (!/[^0]/.test(traceId) || !/[^0]/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function formatTraceparent({ traceId, spanId, isSampled }: SpanAddress): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/**
 * The id of the span of something that has an id of its own, so that any process can name it as a parent before it ends.
 * @param repetition how often it was done before
 */
export function spanIdOf(id: string, repetition: number): string {
  return createHash('sha1').update(`${id}:${repetition}`).digest('hex').slice(0, 16);
}

/** The `traceparent` of another span of the same trace. */
export function inSameTrace(traceparent: string, spanId: string): string {
  return `${traceparent.slice(0, 36)}${spanId}${traceparent.slice(52)}`;
}
